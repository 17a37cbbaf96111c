import * as vscode from 'vscode';
import { execArguments, shellArguments } from '../brev/exec.ts';
import type { Instance } from '../instances/instance.ts';
import { quote } from '../remote/quote.ts';
import type { Outcome } from '../values/outcome.ts';
import { ok } from '../values/outcome.ts';

export interface TerminalsOptions {
  readonly locateCli: () => Promise<Outcome<string>>;
  readonly environment: () => Record<string, string>;
  readonly workingDirectory: () => Promise<string>;
}

/** Terminals that run the CLI itself, with its arguments: no shell on this computer reads them. */
export class Terminals implements vscode.Disposable {
  readonly #options: TerminalsOptions;
  readonly #byInstance = new Map<vscode.Terminal, string>();
  readonly #closed: vscode.Disposable;

  constructor(options: TerminalsOptions) {
    this.#options = options;
    this.#closed = vscode.window.onDidCloseTerminal((terminal) => this.#byInstance.delete(terminal));
  }

  /** Runs one command line on an instance, once, and shows its exit code. */
  async run(instance: Instance, commandLine: string): Promise<Outcome<vscode.Terminal>> {
    const args = execArguments(instance.name, runOnce(commandLine));
    return args.kind === 'ok' ? this.#open(instance, `${instance.name}: ${commandLine}`, args.value) : args;
  }

  async shell(instance: Instance): Promise<Outcome<vscode.Terminal>> {
    const args = shellArguments(instance.name);
    return args.kind === 'ok' ? this.#open(instance, instance.name, args.value) : args;
  }

  /** Runs an interactive command of the CLI that isn't about an instance, such as login. */
  cli(name: string, args: readonly string[]): Promise<Outcome<vscode.Terminal>> {
    return this.#open(undefined, name, args);
  }

  /** Closes the terminals of an instance that is gone. */
  closeFor(instanceId: string): void {
    for (const [terminal, id] of this.#byInstance) {
      if (id === instanceId) {
        terminal.dispose();
      }
    }
  }

  dispose(): void {
    this.#closed.dispose();
  }

  async #open(
    instance: Instance | undefined,
    name: string,
    args: readonly string[],
  ): Promise<Outcome<vscode.Terminal>> {
    const cli = await this.#options.locateCli();
    if (cli.kind !== 'ok') {
      return cli;
    }
    const terminal = vscode.window.createTerminal({
      name,
      shellPath: cli.value,
      shellArgs: [...args],
      cwd: await this.#options.workingDirectory(),
      env: this.#options.environment(),
      iconPath: new vscode.ThemeIcon('vm'),
      isTransient: true,
    });
    if (instance !== undefined) {
      this.#byInstance.set(terminal, instance.id);
    }
    terminal.show();
    return ok(terminal);
  }
}

/**
 * A command line that exits 0 whatever happens in it: the CLI would run a failing one a second time and hide its
 * exit code (brev-cli.md part 6). `eval` in a subshell, so that a syntax error or an `exit` ends no more than itself.
 * `cd`, because in container mode it would begin somewhere else (users.md C, #308).
 */
export function runOnce(commandLine: string): string {
  return `(cd && eval ${quote(commandLine)}); printf '\\n[exit code %s]\\n' "$?"`;
}
