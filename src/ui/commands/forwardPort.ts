import * as vscode from 'vscode';
import { cancellable } from '../cancellable.ts';
import type { Parts } from '../parts.ts';
import { askText, pickOne } from '../quickInput.ts';
import { showFailure } from '../showFailure.ts';
import { chooseInstance } from './chooseInstance.ts';
import type { Command } from './command.ts';
import { confirmRunning } from './confirmRunning.ts';

/** What people run on such machines, by its usual port. */
const USUAL: readonly (readonly [number, string])[] = [
  [8888, 'JupyterLab'],
  [6006, 'TensorBoard'],
  [8080, vscode.l10n.t('Web server')],
];
/** So many ports beside the wished one are tried here. */
const NEIGHBOURS = 20;

/** Makes a port of an instance reachable on this computer until the window is closed. */
export const forwardPort: Command = {
  id: 'brev.forwardPort',
  run: async (parts, argument, _selected, wish) => {
    const chosen = await chooseInstance(parts, argument, vscode.l10n.t('Forward a Port of Instance'));
    const instance = chosen === undefined ? undefined : await confirmRunning(parts, chosen);
    const ports = instance === undefined ? undefined : (portsFrom(wish) ?? (await askPort(instance.name)));
    if (instance === undefined || ports === undefined) {
      return;
    }
    const outcome = await cancellable(
      vscode.l10n.t('Forwarding port {0} of {1}', ports.remotePort, instance.name),
      async (signal) => {
        return forward(parts, instance.id, instance.name, ports, signal);
      },
    );
    if (outcome.kind === 'failed') {
      await showFailure(outcome.failure, parts.log, instance.id);
    }
    if (outcome.kind !== 'ok') {
      return;
    }
    const { localPort } = outcome;
    parts.forwards.add({ instance, localPort, remotePort: ports.remotePort, forward: outcome.value });
    const open = vscode.l10n.t('Open in Browser');
    const said = await vscode.window.showInformationMessage(
      vscode.l10n.t(
        'Port {0} of {1} is at localhost:{2} until this window is closed.',
        ports.remotePort,
        instance.name,
        localPort,
      ),
      open,
    );
    if (said === open) {
      await parts.forwards.open(localPort);
    }
  },
};

interface Ports {
  readonly localPort: number;
  readonly remotePort: number;
}

async function forward(
  parts: Parts,
  instanceId: string,
  instanceName: string,
  ports: Ports,
  signal: AbortSignal,
) {
  const shells = await parts.shells();
  for (let { localPort } = ports; ; localPort++) {
    const outcome = await shells.forward(
      { instanceId, instanceName },
      { localPort, remotePort: ports.remotePort },
      signal,
    );
    // another program has the port here: the next one does as well
    if (
      outcome.kind === 'failed' &&
      outcome.failure.kind === 'localFile' &&
      localPort < ports.localPort + NEIGHBOURS
    ) {
      continue;
    }
    return { ...outcome, localPort };
  }
}

function portsFrom(wish: unknown): Ports | undefined {
  if (typeof wish !== 'object' || wish === null || !('localPort' in wish) || !('remotePort' in wish)) {
    return undefined;
  }
  const { localPort, remotePort } = wish;
  return typeof localPort === 'number' && typeof remotePort === 'number'
    ? { localPort, remotePort }
    : undefined;
}

async function askPort(instanceName: string): Promise<Ports | undefined> {
  const picked = await pickOne<number>(
    { title: vscode.l10n.t('Which port of {0}?', instanceName) },
    async () => [
      ...USUAL.map(([port, what]) => ({
        label: String(port),
        description: what,
        iconPath: new vscode.ThemeIcon('plug'),
        value: port,
      })),
      { label: vscode.l10n.t('Another one…'), iconPath: new vscode.ThemeIcon('edit'), value: 0 },
    ],
  );
  if (picked.kind !== 'picked') {
    return undefined;
  }
  const remotePort = picked.value === 0 ? await typePort(instanceName) : picked.value;
  return remotePort === undefined ? undefined : { remotePort, localPort: Math.max(1_024, remotePort) };
}

async function typePort(instanceName: string): Promise<number | undefined> {
  const typed = await askText({
    title: vscode.l10n.t('Which port of {0}?', instanceName),
    prompt: vscode.l10n.t('A number from 1 to 65535'),
    placeholder: '8888',
    value: '',
    validate: (text) =>
      /^\d{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 65_535
        ? undefined
        : vscode.l10n.t('A number from 1 to 65535'),
  });
  return typed.kind === 'picked' ? Number(typed.value.trim()) : undefined;
}
