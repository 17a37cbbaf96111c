import * as vscode from 'vscode';
import { pickOne } from '../quickInput.ts';
import type { Command } from './command.ts';

/** The ports of instances that can be reached here: opens one in a browser, or stops it. */
export const showPorts: Command = {
  id: 'brev.showPorts',
  run: async (parts) => {
    const picked = await pickOne<() => Promise<void>>(
      { title: vscode.l10n.t('Forwarded Ports'), placeholder: vscode.l10n.t('They end with this window') },
      async () => [
        ...parts.forwards.all.flatMap(({ instance, localPort, remotePort, forward }) => {
          const way = `localhost:${localPort} → ${instance.name}:${remotePort}`;
          return [
            {
              label: vscode.l10n.t('Open {0}', `localhost:${localPort}`),
              description: way,
              iconPath: new vscode.ThemeIcon('link-external'),
              value: () => parts.forwards.open(localPort),
            },
            {
              label: vscode.l10n.t('Stop {0}', `localhost:${localPort}`),
              description: way,
              iconPath: new vscode.ThemeIcon('debug-disconnect'),
              value: () => forward.stop(),
            },
          ];
        }),
        {
          label: vscode.l10n.t('Forward Another Port…'),
          iconPath: new vscode.ThemeIcon('plug'),
          value: async () => {
            await vscode.commands.executeCommand('brev.forwardPort');
          },
        },
      ],
    );
    if (picked.kind === 'picked') {
      await picked.value();
    }
  },
};
