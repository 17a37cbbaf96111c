import type { ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Everything that a run starts inherits this variable, so that the run can find what outlives its parents. */
export const RUN_MARK = 'BREV_TEST_RUN';

/** Whether the process exists (a zombie counts as gone once its parent has read it). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPERM') return true;
    return false;
  }
}

/** Ends a child that was started with `detached: true`, and its process group: SIGTERM, then SIGKILL after `graceMs`. */
export async function endGroup(child: ChildProcess, graceMs = 3000): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const gone =
    child.exitCode !== null || child.signalCode !== null
      ? Promise.resolve()
      : new Promise<void>((resolve) => child.once('exit', () => resolve()));
  signal(-pid, 'SIGTERM');
  const timer = setTimeout(() => signal(-pid, 'SIGKILL'), graceMs);
  await gone;
  clearTimeout(timer);
  signal(-pid, 'SIGKILL');
}

/** Kills all processes whose environment carries this run's mark, and says which they were. Linux; elsewhere none. */
export async function killMarked(run: string): Promise<string[]> {
  const killed: string[] = [];
  // Twice: a process can fork between the listing and its end.
  for (const _ of [1, 2]) {
    for (const pid of await marked(run)) {
      killed.push(`${pid} ${await commandLine(pid)}`);
      signal(pid, 'SIGKILL');
    }
    if (killed.length === 0) break;
    await delay(20);
  }
  return [...new Set(killed)];
}

async function marked(run: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const found: number[] = [];
  for (const name of names) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    // Another user's process can't be read, and a process may end meanwhile: neither is ours.
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    if (environment.split('\0').includes(`${RUN_MARK}=${run}`)) found.push(pid);
  }
  return found;
}

async function commandLine(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return text.split('\0').join(' ').trim();
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
