import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Brev } from '../brev/brev.ts';
import { exec } from '../brev/exec.ts';
import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import { readAnswer } from './answer.ts';
import { copyInput } from './copiedInput.ts';
import { download } from './download.ts';
import { quote } from './quote.ts';
import type {
  RemoteAnswer,
  RemoteFile,
  RemoteOptions,
  RemoteScript,
  RemoteShell,
  RunScriptOptions,
} from './shell.ts';
import { uploaded } from './uploadAnswer.ts';
import assembleScript from './uploadAssemble.sh';
import partsScript from './uploadParts.sh';
import { packFiles, packParts, partCount } from './uploadParts.ts';
import wrapper from './wrapper.sh';
import wrapperWithInput from './wrapperInput.sh';

/** Longer than any run: a stream ends by its script, its signal or the connection. */
const STREAM_TIMEOUT_MS = 24 * 24 * 3_600_000;
const REMOVE_TIMEOUT_MS = 60_000;

/** The shell over `brev exec`: works wherever the CLI does. */
export class ExecShell implements RemoteShell {
  readonly route = 'exec';
  readonly #brev: Pick<Brev, 'execute' | 'stream'>;
  readonly #name: string;
  readonly #isOn: () => Promise<Outcome<unknown>>;

  /** `isOn` is asked before each call of the CLI, which would start a stopped instance. */
  constructor(
    brev: Pick<Brev, 'execute' | 'stream'>,
    instanceName: string,
    isOn: () => Promise<Outcome<unknown>> = async () => ok(undefined),
  ) {
    this.#brev = brev;
    this.#name = instanceName;
    this.#isOn = isOn;
  }

  async run(script: RemoteScript, options: RunScriptOptions): Promise<Outcome<RemoteAnswer>> {
    const token = randomBytes(8).toString('hex');
    return options.input === undefined
      ? this.#answer(token, commandLine(wrapper, [token, script.text, ...script.args]), options)
      : this.#runWithInput(token, script, options.input, options);
  }

  async upload(files: readonly RemoteFile[], options: RemoteOptions): Promise<Outcome<void>> {
    for (const parcel of packParts(files)) {
      const args = parcel.flatMap(({ path, part, content }) => [
        path,
        part,
        Buffer.from(content).toString('base64'),
      ]);
      const sent = uploaded(await this.run({ text: partsScript, args }, options), parcel);
      if (sent.kind !== 'ok') {
        return sent;
      }
    }
    for (const group of packFiles(files)) {
      const args = group.flatMap(({ path, content }) => [
        path,
        String(partCount(content)),
        createHash('sha256').update(content).digest('hex'),
      ]);
      const assembled = uploaded(await this.run({ text: assembleScript, args }, options), group);
      if (assembled.kind !== 'ok') {
        return assembled;
      }
    }
    return ok(undefined);
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
    const on = await this.#isOn();
    if (on.kind !== 'ok') {
      return on;
    }
    const line = commandLine(wrapper, ['stream', script.text, ...script.args]);
    const command = exec(this.#name, line, STREAM_TIMEOUT_MS);
    return command.kind === 'ok' ? this.#brev.stream(command.value, onStdout, signal) : command;
  }

  async #runWithInput(
    token: string,
    script: RemoteScript,
    input: Uint8Array,
    options: RunScriptOptions,
  ): Promise<Outcome<RemoteAnswer>> {
    const on = await this.#isOn();
    if (on.kind !== 'ok') {
      return on;
    }
    const { inputFolder = '', inputName } = options;
    const name = ['.brev-input', ...(inputName === undefined ? [] : [inputName]), token].join('-');
    const remotePath = path.posix.join(inputFolder, name);
    const copied = await copyInput(this.#brev, this.#name, input, remotePath, options);
    const answer =
      copied.kind === 'ok'
        ? await this.#answer(
            token,
            commandLine(wrapperWithInput, [token, script.text, remotePath, ...script.args]),
            options,
          )
        : copied;
    if (answer.kind !== 'ok') {
      // it may lie there unread; nobody waits for this, least of all one who cancelled
      void this.#remove(remotePath);
    }
    return answer;
  }

  async #answer(token: string, line: string, options: RemoteOptions): Promise<Outcome<RemoteAnswer>> {
    const on = await this.#isOn();
    if (on.kind !== 'ok') {
      return on;
    }
    const command = exec(this.#name, line, options.timeoutMs);
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

  async #remove(remotePath: string): Promise<void> {
    const on = await this.#isOn();
    const command = exec(this.#name, `rm -f "$HOME"/${quote(remotePath)}`, REMOVE_TIMEOUT_MS);
    if (on.kind === 'ok' && command.kind === 'ok') {
      // what the CLI says of a failure it says to the log
      await this.#brev.execute(command.value);
    }
  }
}

function commandLine(script: string, args: readonly string[]): string {
  return ['bash', '-c', script, 'brev-instances', ...args].map(quote).join(' ');
}
