import * as vscode from 'vscode';
import type { Instance } from '../instances/instance.ts';
import type { PortForward } from '../remote/portForward.ts';
import type { Log } from './log.ts';

interface Forwarded {
  readonly instance: Instance;
  readonly localPort: number;
  readonly remotePort: number;
  readonly forward: PortForward;
}

/** The ports of instances that can be reached here; the status bar shows that there are some. They end with the window. */
export class PortForwards implements vscode.Disposable {
  readonly #log: Log;
  readonly #all = new Set<Forwarded>();
  readonly #item = vscode.window.createStatusBarItem('brev.ports', vscode.StatusBarAlignment.Left, 8);

  constructor(log: Log) {
    this.#log = log;
    this.#item.name = vscode.l10n.t('Brev forwarded ports');
    this.#item.command = 'brev.showPorts';
  }

  get all(): readonly Forwarded[] {
    return [...this.#all];
  }

  add(forwarded: Forwarded): void {
    this.#all.add(forwarded);
    this.#show();
    void forwarded.forward.ended.then((why) => {
      this.#all.delete(forwarded);
      this.#show();
      if (why !== undefined) {
        void this.#tellEnd(forwarded, why);
      }
    });
  }

  /** Opens what listens on the port in a browser, wherever the window is. */
  async open(localPort: number): Promise<void> {
    const here = vscode.Uri.parse(`http://localhost:${localPort}`);
    await vscode.env.openExternal(await vscode.env.asExternalUri(here));
  }

  dispose(): void {
    for (const { forward } of this.#all) {
      void forward.stop();
    }
    this.#item.dispose();
  }

  async #tellEnd({ instance, localPort, remotePort }: Forwarded, why: string): Promise<void> {
    this.#log.warn(`port ${remotePort} of ${instance.name}: ${why}`);
    const again = vscode.l10n.t('Forward Again');
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t(
        'Port {0} of {1} cannot be reached here any more: its connection broke.',
        remotePort,
        instance.name,
      ),
      again,
    );
    if (chosen === again) {
      await vscode.commands.executeCommand(
        'brev.forwardPort',
        { kind: 'instance', id: instance.id },
        undefined,
        { localPort, remotePort },
      );
    }
  }

  #show(): void {
    if (this.#all.size === 0) {
      this.#item.hide();
      return;
    }
    const lines = this.all.map(
      ({ instance, localPort, remotePort }) => `localhost:${localPort} → ${instance.name}:${remotePort}`,
    );
    this.#item.text = `$(plug) ${lines.length === 1 ? lines[0] : vscode.l10n.t('{0} Brev ports', lines.length)}`;
    this.#item.tooltip = lines.join('\n');
    this.#item.accessibilityInformation = {
      label: vscode.l10n.t('Forwarded ports of Brev instances: {0}', lines.join(', ')),
    };
    this.#item.show();
  }
}
