import { createHash, randomBytes } from 'node:crypto';
import type { Failure } from '../values/failure.ts';
import { message } from '../values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../values/outcome.ts';
import { readAnswer } from './answer.ts';
import { download } from './download.ts';
import type {
  RemoteAnswer,
  RemoteFile,
  RemoteOptions,
  RemoteScript,
  RemoteShell,
  RunScriptOptions,
} from './shell.ts';
import type { SessionResult, SshConnection } from './sshConnection.ts';
import { answeringScript, streamingScript } from './sshScript.ts';
import { uploaded } from './uploadAnswer.ts';
import uploadScript from './uploadInput.sh';

/** Longer than any run: a stream ends by its script, its signal or the connection. */
const STREAM_TIMEOUT_MS = 24 * 24 * 3_600_000;

/** The shell over ssh itself: a session a call on a connection that is shared. Nothing is run twice. */
export class SshShell implements RemoteShell {
  readonly route = 'ssh';
  readonly #connection: SshConnection;
  readonly #name: string;
  readonly #neverRan = new WeakSet<Failure>();

  constructor(connection: SshConnection, instanceName: string) {
    this.#connection = connection;
    this.#name = instanceName;
  }

  /** Whether this failure of a call came before anything was run, so that another shell may be tried. */
  neverRan(failure: Failure): boolean {
    return this.#neverRan.has(failure);
  }

  async run(script: RemoteScript, options: RunScriptOptions): Promise<Outcome<RemoteAnswer>> {
    const token = randomBytes(8).toString('hex');
    const result = await this.#connection.session({
      ...options,
      script: ({ loginShell }) => answeringScript(token, script, options.input, loginShell),
    });
    const answer =
      result.kind === 'ok' || result.kind === 'failed' ? readAnswer(result.stdout, token) : undefined;
    return answer === undefined ? this.#notAnswered(result) : ok(answer);
  }

  async upload(files: readonly RemoteFile[], options: RemoteOptions): Promise<Outcome<void>> {
    const args = files.flatMap(({ path, content }) => [
      path,
      String(content.length),
      createHash('sha256').update(content).digest('hex'),
    ]);
    const input = Buffer.concat(files.map(({ content }) => content));
    return uploaded(await this.run({ text: uploadScript, args }, { ...options, input }), files);
  }

  download(
    path: string,
    onBytes: (chunk: Uint8Array) => void,
    options: RemoteOptions,
  ): Promise<Outcome<number>> {
    return download(this, path, onBytes, options);
  }

  async stream(
    script: RemoteScript,
    onStdout: (chunk: Uint8Array) => void,
    signal: AbortSignal,
  ): Promise<Outcome<void>> {
    const result = await this.#connection.session({
      script: ({ loginShell }) => streamingScript(script, loginShell),
      timeoutMs: STREAM_TIMEOUT_MS,
      signal,
      onStdout,
    });
    return result.kind === 'ok' ? ok(undefined) : this.#notAnswered(result);
  }

  #notAnswered(result: SessionResult): Outcome<never> {
    switch (result.kind) {
      case 'cancelled':
        return cancelled;
      case 'notConnected':
        this.#neverRan.add(result.failure);
        return failed(result.failure);
      case 'notFound':
      case 'notExecutable': {
        const failure: Failure = {
          kind: 'sshConfigBroken',
          message: message('There is no usable ssh program on this computer.'),
          retrySafe: true,
        };
        this.#neverRan.add(failure);
        return failed(failure);
      }
      case 'timedOut':
        return failed({
          kind: 'timedOut',
          message: message(
            '{0} gave no answer within {1} seconds.',
            this.#name,
            Math.round(result.timeoutMs / 1_000),
          ),
          action: 'refresh',
          retrySafe: false,
          detail: result.stderr,
        });
      case 'ok':
      case 'failed':
        return failed(
          result.truncated
            ? {
                kind: 'remoteFailed',
                message: message('{0} answered more than can be kept.', this.#name),
                action: 'showLog',
                retrySafe: false,
              }
            : {
                kind: 'unreachable',
                message: message('The connection to {0} broke before the answer was whole.', this.#name),
                action: 'waitUntilReady',
                retrySafe: true,
                detail: `${result.stderr}\n${result.stdout.slice(-2_000)}`.trim(),
              },
        );
    }
  }
}
