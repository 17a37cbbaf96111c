import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { cacheRoot, repositoryRoot } from '../support/paths.ts';

/** The errors that nobody handled since `collectUncaught` was called. */
export interface Uncaught {
  /** What is still unhandled once the event loop went round; stops the collecting. */
  settled(): Promise<string[]>;
}

/**
 * Collects unhandled rejections and uncaught exceptions of the extension host. It is one process for all extensions: what
 * comes from the code of VS Code or of its own extensions isn't ours. An error without any origin counts as ours.
 */
export function collectUncaught(): Uncaught {
  const rejections = new Map<Promise<unknown>, string>();
  const errors: string[] = [];
  const onRejection = (reason: unknown, promise: Promise<unknown>) => {
    if (isOurs(reason)) rejections.set(promise, `unhandled rejection: ${inspect(reason)}`);
  };
  const onHandled = (promise: Promise<unknown>) => rejections.delete(promise);
  const onError = (error: unknown) => {
    if (isOurs(error)) errors.push(`uncaught exception: ${inspect(error)}`);
  };
  process.on('unhandledRejection', onRejection);
  process.on('rejectionHandled', onHandled);
  process.on('uncaughtException', onError);
  return {
    async settled() {
      // Node reports a rejection after the microtasks, and its late handling in a later turn.
      for (let turns = 0; turns < 3; turns++) await turn();
      process.off('unhandledRejection', onRejection);
      process.off('rejectionHandled', onHandled);
      process.off('uncaughtException', onError);
      return [...errors, ...rejections.values()];
    },
  };
}

function isOurs(reason: unknown): boolean {
  const stack = reason instanceof Error ? (reason.stack ?? '') : '';
  const files = stack.split('\n').filter((line) => /^\s*at .*[\\/]/.test(line) && !line.includes('node:'));
  return files.length === 0 || files.some(inThisProject);
}

// The cache holds VS Code itself.
function inThisProject(line: string): boolean {
  return line.includes(repositoryRoot + path.sep) && !line.includes(cacheRoot);
}
