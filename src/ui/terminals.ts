import * as vscode from 'vscode';
import { execArguments, shellArguments } from '../brev/exec.ts';
import type { Instance } from '../instances/instance.ts';
import type { InUse } from '../instances/inUse.ts';
import type { InstanceStore, InstancesChange } from '../instances/store.ts';
import { quote } from '../remote/quote.ts';
import { Emitter, type Listen } from '../values/emitter.ts';
import type { Outcome } from '../values/outcome.ts';
import { ok } from '../values/outcome.ts';
import type { ShellWait } from './shellWait.ts';

export interface TerminalsOptions {
  readonly locateCli: () => Promise<Outcome<string>>;
  readonly environment: () => Record<string, string>;
  readonly workingDirectory: () => Promise<string>;
  readonly store: Pick<InstanceStore, 'listing' | 'onChange'>;
  readonly inUse: Pick<InUse, 'begin' | 'end'>;
  readonly log: (line: string) => void;
}

/** Terminals that run the CLI itself, with its arguments: no shell on this computer reads them. */
export class Terminals implements vscode.Disposable {
  readonly #options: TerminalsOptions;
  readonly #open = new Map<vscode.Terminal, Instance>();
  readonly #closes = new Emitter<string>();
  #wait: Promise<ShellWait> | undefined;
  readonly #subscriptions: vscode.Disposable[];

  /** Tells the id of an instance whose last terminal in this window was closed. */
  readonly onClose: Listen<string> = this.#closes.listen;

  constructor(options: TerminalsOptions) {
    this.#options = options;
    this.#subscriptions = [
      vscode.window.onDidCloseTerminal((terminal) => this.#forget(terminal)),
      new vscode.Disposable(options.store.onChange((change) => this.#tellDeadEnds(change))),
    ];
  }

  /** Runs one command line on an instance, once, and shows its exit code. */
  async run(instance: Instance, commandLine: string): Promise<Outcome<vscode.Terminal>> {
    const args = execArguments(instance.name, runOnce(commandLine));
    return args.kind === 'ok' ? this.#launch(instance, `${instance.name}: ${commandLine}`, args.value) : args;
  }

  async shell(instance: Instance): Promise<Outcome<vscode.Terminal>> {
    const args = shellArguments(instance.name);
    const opened = args.kind === 'ok' ? await this.#launch(instance, instance.name, args.value) : args;
    if (opened.kind === 'ok') {
      this.#wait ??= import('./shellWait.ts').then((module) => new module.ShellWait());
      (await this.#wait).begin(opened.value, instance);
    }
    return opened;
  }

  /** Runs an interactive command of the CLI that isn't about an instance, such as login. */
  cli(name: string, args: readonly string[]): Promise<Outcome<vscode.Terminal>> {
    return this.#launch(undefined, name, args);
  }

  /** Closes the terminals of an instance that is gone. */
  closeFor(instanceId: string): void {
    for (const terminal of this.#of(instanceId)) {
      terminal.dispose();
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
    void this.#wait?.then((wait) => wait.dispose());
  }

  #of(instanceId: string): readonly vscode.Terminal[] {
    return [...this.#open].flatMap(([terminal, { id }]) => (id === instanceId ? [terminal] : []));
  }

  #forget(terminal: vscode.Terminal): void {
    const instance = this.#open.get(terminal);
    this.#open.delete(terminal);
    if (instance !== undefined && this.#of(instance.id).length === 0) {
      this.#note(this.#options.inUse.end(instance.id));
      this.#closes.emit(instance.id);
    }
  }

  /** That others may not see whether an instance is in use keeps nobody from using it. */
  #note(step: Promise<void>): void {
    step.catch((error: unknown) => this.#options.log(`the use of an instance: ${String(error)}`));
  }

  /** A machine that is gone or off takes its shells along, which would look alive (users.md G, colab-vscode #171). */
  #tellDeadEnds({ changed, removed }: InstancesChange): void {
    if (this.#options.store.listing.kind !== 'listed') {
      // a failed list says nothing, and another account ends nothing
      return;
    }
    for (const instance of removed) {
      void this.#offerToClose(
        instance,
        vscode.l10n.t('{0} is gone: nothing runs in its terminals any more.', instance.name),
      );
    }
    for (const { before, after } of changed) {
      if (after.status === 'stopped' && before.status !== 'stopped') {
        void this.#offerToClose(
          after,
          vscode.l10n.t('{0} is stopped: nothing runs in its terminals any more.', after.name),
        );
      }
    }
  }

  async #offerToClose(instance: Instance, sentence: string): Promise<void> {
    const terminals = this.#of(instance.id);
    const close = vscode.l10n.t('Close Terminals');
    // what they show may be wanted yet
    if (terminals.length > 0 && (await vscode.window.showWarningMessage(sentence, close)) === close) {
      for (const terminal of terminals) {
        terminal.dispose();
      }
    }
  }

  async #launch(
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
      this.#open.set(terminal, instance);
      this.#note(this.#options.inUse.begin(instance.id));
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
