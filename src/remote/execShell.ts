import { createHash, randomBytes } from 'node:crypto';
import type { Brev } from '../brev/brev.ts';
import { exec } from '../brev/exec.ts';
import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import { quote } from './quote.ts';
import type { RemoteAnswer, RemoteOptions, RemoteScript, RemoteShell } from './shell.ts';
import assembleScript from './uploadAssemble.sh';
import chunkScript from './uploadChunk.sh';
import wrapper from './wrapper.sh';

/** A command line may have about 128 kB (brev-cli.md part 6); base64 makes 4 bytes of 3. */
const CHUNK_BYTES = 60_000;
/** Longer than any run: a stream ends by its script, its signal or the connection. */
const STREAM_TIMEOUT_MS = 24 * 24 * 3_600_000;

/** The shell over `brev exec`: works wherever the CLI does. */
export class ExecShell implements RemoteShell {
  readonly route = 'exec';
  readonly #brev: Pick<Brev, 'execute' | 'stream'>;
  readonly #name: string;

  constructor(brev: Pick<Brev, 'execute' | 'stream'>, instanceName: string) {
    this.#brev = brev;
    this.#name = instanceName;
  }

  async run(script: RemoteScript, options: RemoteOptions): Promise<Outcome<RemoteAnswer>> {
    const token = randomBytes(8).toString('hex');
    const command = exec(this.#name, commandLine(token, script), options.timeoutMs);
    if (command.kind !== 'ok') {
      return command;
    }
    const outcome = await this.#brev.execute(command.value, options.signal);
    if (outcome.kind !== 'ok') {
      return outcome;
    }
    const answer = readAnswer(outcome.value, token);
    return answer === undefined
      ? failed({
          kind: 'unreachable',
          message: message('The connection to {0} broke before the answer was whole.', this.#name),
          action: 'waitUntilReady',
          retrySafe: true,
          detail: outcome.value.slice(-2_000),
        })
      : ok(answer);
  }

  async upload(content: Uint8Array, path: string, options: RemoteOptions): Promise<Outcome<void>> {
    const chunks = Math.max(1, Math.ceil(content.length / CHUNK_BYTES));
    for (let index = 0; index < chunks; index++) {
      const chunk = Buffer.from(content.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES));
      const sent = await this.run(
        { text: chunkScript, args: [path, String(index), chunk.toString('base64')] },
        options,
      );
      const outcome = expectSuccess(sent, path);
      if (outcome.kind !== 'ok') {
        return outcome;
      }
    }
    const sha256 = createHash('sha256').update(content).digest('hex');
    return expectSuccess(
      await this.run({ text: assembleScript, args: [path, String(chunks), sha256] }, options),
      path,
    );
  }

  stream(
    script: RemoteScript,
    onStdout: (chunk: Uint8Array) => void,
    signal: AbortSignal,
  ): Promise<Outcome<void>> {
    const command = exec(this.#name, commandLine('stream', script), STREAM_TIMEOUT_MS);
    return command.kind === 'ok'
      ? this.#brev.stream(command.value, onStdout, signal)
      : Promise.resolve(command);
  }
}

function commandLine(token: string, script: RemoteScript): string {
  return ['bash', '-c', wrapper, 'brev-instances', token, script.text, ...script.args].map(quote).join(' ');
}

/** Reads the answer between the markers; after a replay the last complete run counts. */
export function readAnswer(stdout: string, token: string): RemoteAnswer | undefined {
  const begin = `@@brev-begin ${token}\n`;
  const start = stdout.lastIndexOf(begin);
  if (start < 0) {
    return undefined;
  }
  const body = stdout.slice(start + begin.length);
  const end = new RegExp(`\\n@@brev-end ${token} (\\d+)\\n`).exec(body);
  return end === null ? undefined : { exitCode: Number(end[1]), stdout: body.slice(0, end.index) };
}

function expectSuccess(answer: Outcome<RemoteAnswer>, path: string): Outcome<void> {
  if (answer.kind !== 'ok') {
    return answer;
  }
  if (answer.value.exitCode === 0) {
    return ok(undefined);
  }
  const full = /No space left on device/.test(answer.value.stdout);
  return failed({
    kind: full ? 'diskFull' : 'remoteFailed',
    message: full
      ? message('The disk of the instance is full: {0} could not be uploaded.', path)
      : message('{0} could not be uploaded to the instance.', path),
    action: 'showLog',
    retrySafe: true,
    detail: answer.value.stdout,
  });
}
