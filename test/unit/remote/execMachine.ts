import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { failing, printed, RecordedCli } from '../brev/recordedCli.ts';
import { temporaryFolder } from '../process/temporaryFolder.ts';

/** How the next exec goes wrong: the connection breaks after so many bytes of stdout, and the CLI runs it again. */
export interface Break {
  readonly afterBytes: number;
}

/** The CLI's exec over a real bash in a home of its own: no stdin, the name after the output, a second run after a break. */
export class ExecMachine {
  readonly home: string;
  readonly cli: RecordedCli;
  /** One for each exec that breaks. */
  breaks: Break[] = [];
  /** How often a command line ran. */
  runs = 0;

  constructor(t: Pick<TestContext, 'after'>, name = 'gpu1') {
    this.home = path.join(temporaryFolder(t), "home of ' $x");
    mkdirSync(this.home);
    this.cli = new RecordedCli(async (args, options) => {
      if (args[0] !== 'exec' || args[1] !== name || args.length !== 3) {
        return failing(`not expected: ${args.join(' ')}\n`);
      }
      const line = args[2] ?? '';
      const broken = this.breaks.shift();
      const first = await this.#bash(line);
      if (broken === undefined && first.exitCode === 0) {
        options.onStdout?.(first.stdout);
        return printed(`${first.stdout.toString()}${name}\n`);
      }
      // the CLI takes any failure for one of the connection, and runs the command again (brev-cli.md part 6)
      const second = await this.#bash(line);
      const stdout = Buffer.concat([
        broken === undefined ? first.stdout : first.stdout.subarray(0, broken.afterBytes),
        second.stdout,
      ]);
      options.onStdout?.(stdout);
      return second.exitCode === 0
        ? printed(`${stdout.toString()}${name}\n`)
        : failing(
            `Connection failed, checking instance status...\nexit status ${second.exitCode}\n`,
            stdout.toString(),
          );
    });
  }

  async #bash(line: string): Promise<{ readonly stdout: Buffer; readonly exitCode: number | null }> {
    this.runs++;
    // the local shell of the CLI gets the command in one argument too, with its own limit
    const child = spawn('/bin/bash', ['-c', line], {
      cwd: '/',
      env: { HOME: this.home, PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    const [exitCode] = await once(child, 'close');
    return { stdout: Buffer.concat(chunks), exitCode };
  }
}

export const options = () => ({ timeoutMs: 60_000, signal: new AbortController().signal });
