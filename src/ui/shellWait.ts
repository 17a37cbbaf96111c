import * as vscode from 'vscode';
import type { Instance } from '../instances/instance.ts';
import { duration } from './instances/timelineWords.ts';

const TICK_MS = 1_000;
/** A shell that comes, comes within that (brev-cli.md part 6: 5 s at least). */
const HINT_AFTER_MS = 20_000;
/** Who has neither typed nor closed it by then has something else to do. */
const GIVE_UP_MS = 15 * 60_000;

interface Waiting {
  readonly instance: Instance;
  readonly since: number;
}

/**
 * The status-bar item that counts how long a shell has been opening, and then says what can help: the CLI may wait for
 * ever while it is billed (users.md C, #218). What a terminal shows can't be read, so it counts until the first key.
 */
export class ShellWait implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  /** The instance that a press on the item is about. */
  #helps: string | undefined;
  readonly #waiting = new Map<vscode.Terminal, Waiting>();
  readonly #subscriptions: vscode.Disposable[];
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.#item = vscode.window.createStatusBarItem('brev.shell', vscode.StatusBarAlignment.Left, 8);
    this.#item.name = vscode.l10n.t('Brev Shell');
    this.#subscriptions = [
      this.#item,
      vscode.window.onDidCloseTerminal((terminal) => this.#end(terminal)),
      vscode.window.onDidChangeTerminalState((terminal) => {
        if (terminal.state.isInteractedWith) {
          this.#end(terminal);
        }
      }),
    ];
  }

  begin(terminal: vscode.Terminal, instance: Instance): void {
    if (!vscode.window.terminals.includes(terminal)) {
      // closed while this was loaded
      return;
    }
    this.#waiting.set(terminal, { instance, since: Date.now() });
    this.#timer ??= setInterval(() => this.#show(), TICK_MS);
    this.#show();
  }

  dispose(): void {
    clearInterval(this.#timer);
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #end(terminal: vscode.Terminal): void {
    if (this.#waiting.delete(terminal)) {
      this.#show();
    }
  }

  #show(): void {
    const now = Date.now();
    for (const [terminal, { since }] of this.#waiting) {
      if (now - since > GIVE_UP_MS) {
        this.#waiting.delete(terminal);
      }
    }
    const newest = [...this.#waiting.values()].at(-1);
    if (newest === undefined) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#item.hide();
      return;
    }
    const { instance, since } = newest;
    const took = duration(now - since);
    const isLong = now - since >= HINT_AFTER_MS;
    const words = isLong
      ? vscode.l10n.t('{0}: shell opened {1} ago. Still waiting?', instance.name, took)
      : vscode.l10n.t('{0}: shell opened {1} ago', instance.name, took);
    this.#item.text = `$(${isLong ? 'question' : 'terminal'}) ${words}`;
    this.#item.accessibilityInformation = { label: words };
    this.#item.tooltip = vscode.l10n.t(
      'The Brev CLI connects when it takes the instance for ready, and the instance is billed all the while. Should it wait for long, click to see what can help. This goes with the first key in the terminal.',
    );
    if (this.#helps !== instance.id) {
      this.#helps = instance.id;
      // VS Code forgets the arguments of the one before: a press in that moment would find no command
      this.#item.command = {
        command: 'brev.helpShell',
        title: vscode.l10n.t('A Shell That Waits'),
        arguments: [{ kind: 'instance', id: instance.id }],
      };
    }
    this.#item.show();
  }
}
