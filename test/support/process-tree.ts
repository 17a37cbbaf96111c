import { readdirSync, readFileSync } from 'node:fs';

/** One process of this machine, as /proc shows it. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** R, S, T (stopped), Z (zombie), … */
  readonly state: string;
  readonly command: string;
}

/** All processes that live; zombies, which only wait to be read by their parent, are left out. Linux only. */
export function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const one = look(Number(name));
      return one === undefined || one.state === 'Z' || one.state === 'X' ? [] : [one];
    });
}

/** What a process started, and what that started; not itself. */
export function descendants(pid: number, all: readonly Process[] = processes()): Process[] {
  return all
    .filter(({ parent }) => parent === pid)
    .flatMap((child) => [child, ...descendants(child.pid, all)]);
}

/** Sends a signal; a process that is gone already is no error. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function look(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // "pid (any name) state parent …": the name may hold spaces and parentheses
    const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return { pid, parent: Number(parent), state, command };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // gone meanwhile
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
