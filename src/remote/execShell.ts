import { createHash, randomBytes } from 'node:crypto';
import type { Brev } from '../brev/brev.ts';
import { exec } from '../brev/exec.ts';
import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import { quote } from './quote.ts';
import type { RemoteAnswer, RemoteFile, RemoteOptions, RemoteScript, RemoteShell } from './shell.ts';
import assembleScript from './uploadAssemble.sh';
import partsScript from './uploadParts.sh';
import wrapper from './wrapper.sh';

/** A command line may have about 128 kB (brev-cli.md part 6); base64 makes 4 bytes of 3. */
const PART_BYTES = 60_000;
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

  async upload(files: readonly RemoteFile[], options: RemoteOptions): Promise<Outcome<void>> {
    for (const parcel of parcels(files)) {
      const args = parcel.flatMap(({ path, part, content }) => [
        path,
        part,
        Buffer.from(content).toString('base64'),
      ]);
      const sent = expectSuccess(await this.run({ text: partsScript, args }, options), parcel);
      if (sent.kind !== 'ok') {
        return sent;
      }
    }
    const args = files.flatMap(({ path, content }) => [
      path,
      String(partCount(content)),
      createHash('sha256').update(content).digest('hex'),
    ]);
    return expectSuccess(await this.run({ text: assembleScript, args }, options), files);
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

/** A piece of a file that fits on a command line. */
interface Part {
  readonly path: string;
  readonly part: string;
  readonly content: Uint8Array;
}

function partCount(content: Uint8Array): number {
  return Math.max(1, Math.ceil(content.length / PART_BYTES));
}

/** All parts of all files, packed into as few command lines as hold them. */
function parcels(files: readonly RemoteFile[]): readonly (readonly Part[])[] {
  const packed: Part[][] = [];
  let room = 0;
  for (const { path, content } of files) {
    for (let index = 0; index < partCount(content); index++) {
      const piece = content.subarray(index * PART_BYTES, (index + 1) * PART_BYTES);
      const current = packed.at(-1);
      const part: Part = { path, part: String(index), content: piece };
      if (current === undefined || piece.length > room) {
        packed.push([part]);
        room = PART_BYTES - piece.length;
      } else {
        current.push(part);
        room -= piece.length;
      }
    }
  }
  return packed;
}

function expectSuccess(
  answer: Outcome<RemoteAnswer>,
  files: readonly { readonly path: string }[],
): Outcome<void> {
  if (answer.kind !== 'ok') {
    return answer;
  }
  if (answer.value.exitCode === 0) {
    return ok(undefined);
  }
  const names = [...new Set(files.map(({ path }) => path.split('/').at(-1)))].join(', ');
  const full = /No space left on device/.test(answer.value.stdout);
  return failed({
    kind: full ? 'diskFull' : 'remoteFailed',
    message: full
      ? message('The disk of the instance is full: {0} could not be uploaded.', names)
      : message('{0} could not be uploaded to the instance.', names),
    action: 'showLog',
    retrySafe: true,
    detail: answer.value.stdout,
  });
}
