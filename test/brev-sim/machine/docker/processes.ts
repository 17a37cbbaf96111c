import { readdirSync, readFileSync } from 'node:fs';
import { errorCode } from '../json.ts';

/** The environment variable by which a container's processes are known. */
export const CONTAINER_MARK = 'BREV_SIM_CONTAINER';

function readProcFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    // Gone meanwhile, or not ours to read.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(errorCode(error))) return undefined;
    throw error;
  }
}

/** Every living process that carries a container's mark. */
export function containerProcesses(id: string): number[] {
  const mark = `\0${CONTAINER_MARK}=${id}\0`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => `\0${readProcFile(`/proc/${name}/environ`) ?? ''}`.includes(mark))
    .map(Number);
}

/** Sends a signal; false when the process is gone. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
    throw error;
  }
}

/** Whether a process has a handler for a signal: the kernel drops unhandled signals to a container's first process. */
export function catchesSignal(pid: number, signalNumber: number): boolean {
  const status = readProcFile(`/proc/${pid}/status`) ?? '';
  const caught = /^SigCgt:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0';
  return (BigInt(`0x${caught}`) & (1n << BigInt(signalNumber - 1))) !== 0n;
}

/** A process's words, for telling the TAO player from other programs. */
export function commandWords(pid: number): string[] {
  return (readProcFile(`/proc/${pid}/cmdline`) ?? '').split('\0');
}
