import { linkSync, mkdirSync, readFileSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BREAKER_STALE_MS = 2_000;

/**
 * Runs a short synchronous piece of work while no other process of this cloud does.
 * A lock whose owner died (killed in the middle, as brev often is) is broken.
 */
export function withLock<T>(root: string, work: () => T): T {
  const lock = join(root, 'lock');
  // The owner's pid must be in the file from the moment it exists, hence write aside and link.
  const ticket = join(root, `lock.${process.pid}`);
  writeFileSync(ticket, String(process.pid));
  try {
    while (!tryLink(ticket, lock)) {
      breakIfStale(root, lock);
      pause(1 + Math.random() * 3);
    }
    try {
      return work();
    } finally {
      unlinkSync(lock);
    }
  } finally {
    unlinkSync(ticket);
  }
}

/** Blocks this thread; the lock is held for microseconds, so an event loop would only add latency. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function tryLink(ticket: string, lock: string): boolean {
  try {
    linkSync(ticket, lock);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Only one process may judge and remove a stale lock, or it could remove the next owner's. */
function breakIfStale(root: string, lock: string): void {
  if (isAlive(ownerOf(lock))) return;
  const breaker = join(root, 'lock.breaker');
  try {
    mkdirSync(breaker);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const age = ignoreMissing(() => Date.now() - statSync(breaker).mtimeMs);
    if (age !== undefined && age > BREAKER_STALE_MS) ignoreMissing(() => rmdirSync(breaker));
    return;
  }
  try {
    if (!isAlive(ownerOf(lock))) ignoreMissing(() => unlinkSync(lock));
  } finally {
    ignoreMissing(() => rmdirSync(breaker));
  }
}

function ownerOf(lock: string): number | undefined {
  const text = ignoreMissing(() => readFileSync(lock, 'utf8'));
  return text === undefined ? undefined : Number(text);
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return true; // just released: the next attempt decides
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** The value of `read`, or undefined where the file is gone by now. */
export function ignoreMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Node's error code (`ENOENT`, …) of a thrown value, if it has one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
