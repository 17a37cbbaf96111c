import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './lock.ts';

const TERM_GRACE_MS = 400;

/** Pids whose environment carries `NAME=value`, with everything they started. Zombies don't count. */
export function markedProcesses(name: string, value: string): number[] {
  const marker = `${name}=${value}`;
  const parents = new Map<number, number>();
  const found = new Set<number>();
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const parent = liveParent(pid);
    if (parent === undefined) continue;
    parents.set(pid, parent);
    if (readProc(pid, 'environ')?.split('\0').includes(marker)) found.add(pid);
  }
  addDescendants(found, parents);
  found.delete(process.pid);
  return [...found].sort((left, right) => left - right);
}

/** SIGTERM to all, SIGKILL to what is left; settles when none remains. */
export async function killMarked(name: string, value: string): Promise<void> {
  const deadline = Date.now() + TERM_GRACE_MS;
  for (const asked = new Set<number>(); ; ) {
    const left = markedProcesses(name, value);
    if (left.length === 0) return;
    // Again and again: a process may have forked between the look and the signal.
    if (Date.now() > deadline) signalAll(left, 'SIGKILL');
    else
      signalAll(
        left.filter((pid) => !asked.has(pid)),
        'SIGTERM',
      );
    for (const pid of left) asked.add(pid);
    await sleep(15);
  }
}

/** Is this pid a running process (not a zombie)? */
export function isRunning(pid: number): boolean {
  return liveParent(pid) !== undefined;
}

function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (codeOf(error) !== 'ESRCH') throw error;
    }
  }
}

/** A process may clear its environment (`env -i`), but not its ancestry. */
function addDescendants(found: Set<number>, parents: Map<number, number>): void {
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [pid, parent] of parents) {
      if (parent !== process.pid && found.has(parent)) found.add(pid);
    }
  }
}

function liveParent(pid: number): number | undefined {
  const stat = readProc(pid, 'stat');
  if (stat === undefined) return undefined;
  // "pid (any name) state ppid …": the name may hold spaces and parentheses.
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? undefined : Number(parent);
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    // Gone meanwhile, or another user's.
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return undefined;
    throw error;
  }
}
