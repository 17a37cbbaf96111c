import type { ChildProcess } from 'node:child_process';
import { errorCode } from './errorCode.ts';

const KILL_AFTER_TERM_MS = 2_000;

/** Groups that must not outlive this process. */
const liveGroups = new Set<number>();
let cleaningUpAtExit = false;

/** Ends a program and its children without waiting for them: SIGTERM, and SIGKILL for what is left. */
export function killGroup(child: ChildProcess, release: () => void): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  signalGroup(child, 'SIGTERM');
  const kill = setTimeout(() => {
    signalGroup(child, 'SIGKILL');
    release();
  }, KILL_AFTER_TERM_MS);
  kill.unref();
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (!child.pid) {
    return;
  }
  try {
    if (process.platform === 'win32') {
      child.kill(signal);
    } else {
      process.kill(-child.pid, signal);
    }
  } catch (error) {
    // ESRCH: the whole group is gone already, which is what was wanted.
    // EPERM: what is left of it is somebody else's (sudo), or a zombie on macOS.
    const code = errorCode(error);
    if (code !== 'ESRCH' && code !== 'EPERM') {
      throw error;
    }
  }
}

/** Has a group killed when this process ends before it was released. */
export function trackGroup(child: ChildProcess): () => void {
  const { pid } = child;
  if (!pid || process.platform === 'win32') {
    return () => undefined;
  }
  if (!cleaningUpAtExit) {
    cleaningUpAtExit = true;
    process.once('exit', killLiveGroups);
  }
  liveGroups.add(pid);
  return () => liveGroups.delete(pid);
}

function killLiveGroups(): void {
  for (const pid of liveGroups) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // gone already: at exit there is nobody left to tell
    }
  }
}
