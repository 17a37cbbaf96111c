import { createHash } from 'node:crypto';
import type { Failure } from '../values/failure.ts';
import { message } from '../values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../values/outcome.ts';
import downloadScript from './download.sh';
import { type FileFrame, FileFrameReader } from './downloadFrames.ts';
import type { RemoteOptions, RemoteShell } from './shell.ts';

/** Connections in a row that bring nothing new before it is given up. */
const FRUITLESS_CONNECTIONS = 3;

/** RemoteShell.download over any shell that streams. What arrived stays: a further connection goes on from there. */
export async function download(
  shell: Pick<RemoteShell, 'stream'>,
  path: string,
  onBytes: (chunk: Uint8Array) => void,
  options: RemoteOptions,
): Promise<Outcome<number>> {
  const hash = createHash('sha256');
  let offset = 0;
  let size: number | undefined;
  let verdict: { readonly sha256: string } | { readonly reason: string } | undefined;
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), options.timeoutMs);
  try {
    for (let fruitless = 0; fruitless < FRUITLESS_CONNECTIONS; fruitless++) {
      const corrupt = new AbortController();
      const reader = new FileFrameReader();
      const take = (frame: FileFrame): void => {
        switch (frame.kind) {
          case 'size':
            size ??= frame.size;
            break;
          case 'bytes':
            // a replay of the CLI's sends again what is here already
            if (frame.offset === offset) {
              for (const chunk of frame.chunks) {
                hash.update(chunk);
                onBytes(chunk);
                offset += chunk.length;
              }
              fruitless = -1;
            }
            break;
          case 'sum':
            verdict = { sha256: frame.sha256 };
            break;
          case 'refused':
            verdict = { reason: frame.reason };
            break;
          case 'corrupt':
            corrupt.abort();
            break;
        }
      };
      const outcome = await shell.stream(
        { text: downloadScript, args: [path, String(offset), size === undefined ? '' : String(size)] },
        (chunk) => {
          for (const frame of reader.push(chunk)) {
            take(frame);
          }
        },
        AbortSignal.any([options.signal, deadline.signal, corrupt.signal]),
      );
      if (options.signal.aborted) {
        return cancelled;
      }
      if (deadline.signal.aborted) {
        return failed(timedOut(path, options.timeoutMs));
      }
      if (verdict !== undefined && 'reason' in verdict) {
        return failed(refused(path, verdict.reason));
      }
      if (verdict !== undefined && offset === size) {
        return verdict.sha256 === hash.digest('hex') ? ok(offset) : failed(changed(path));
      }
      if (outcome.kind === 'failed' && !outcome.failure.retrySafe) {
        return outcome;
      }
    }
  } finally {
    clearTimeout(timer);
  }
  return failed(broken(path));
}

function refused(path: string, reason: string): Failure {
  return {
    kind: 'remoteFailed',
    message: message('{0} cannot be read on the instance: {1}', path, reason),
    action: 'showLog',
    retrySafe: true,
  };
}

function changed(path: string): Failure {
  return {
    kind: 'remoteFailed',
    message: message('{0} was rewritten while it was being downloaded. Try again.', path),
    retrySafe: true,
  };
}

function broken(path: string): Failure {
  return {
    kind: 'unreachable',
    message: message('The connection broke before {0} was downloaded.', path),
    action: 'waitUntilReady',
    retrySafe: true,
  };
}

function timedOut(path: string, timeoutMs: number): Failure {
  return {
    kind: 'timedOut',
    message: message('{0} was not downloaded within {1} seconds.', path, Math.round(timeoutMs / 1_000)),
    retrySafe: true,
  };
}
