import { readdirSync, readFileSync } from 'node:fs';

/** A process that belongs to a world. */
export interface WorldProcess {
  readonly pid: number;
  /** Its words, separated by spaces. */
  readonly command: string;
  readonly role: Role;
}

/** What a process is to a schedule; `other` is what no fault aims at. */
export type Role = 'window' | 'cli' | 'ssh' | 'master' | 'supervisor' | 'docker' | 'remote-shell' | 'other';

/** Every living process that has the world's folder in its environment: windows, CLI, ssh, and what runs on the machine. */
export function worldProcesses(root: string): WorldProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    const environment = readProcess(pid, 'environ');
    if (!environment.includes(root)) return [];
    const command = readProcess(pid, 'cmdline').replaceAll('\0', ' ').trim();
    // a zombie has no words
    return command === '' ? [] : [{ pid, command, role: roleOf(command, environment) }];
  });
}

function roleOf(command: string, environment: string): Role {
  if (/^ssh: .*\[mux\]/.test(command)) return 'master';
  if (/^ssh |libexec\/ssh /.test(command)) return 'ssh';
  if (/chaos\/host\.ts /.test(command)) return 'window';
  if (environment.includes('BREV_SIM_CONTAINER=')) return 'other';
  if (/^(?:\S*\/)?bash \S+\/supervisor\.sh /.test(command)) return 'supervisor';
  if (/machine\/docker\.ts /.test(command)) return 'docker';
  if (/^\S*node \S+ (?:exec|copy|ls|refresh) /.test(command)) return 'cli';
  if (environment.includes('BREV_SIM_MACHINE=') && /^(?:\S*\/)?bash -c /.test(command)) return 'remote-shell';
  return 'other';
}

/** A file of /proc; empty where the process has ended or is another user's. */
export function readProcess(pid: number, file: 'environ' | 'cmdline' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return '';
    throw error;
  }
}

/** Sends a signal; false when the process is gone. A negative number is a group. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}
