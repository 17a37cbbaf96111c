import * as vscode from 'vscode';
import { type Instance, isOn } from '../../instances/instance.ts';
import { nodeFrom } from '../instances/nodes.ts';
import type { Parts } from '../parts.ts';
import { formatCost, formatGpu } from '../price.ts';
import { type Choice, pickOne } from '../quickInput.ts';
import { showFailure } from '../showFailure.ts';

/** The instance that a menu passed, or the one that the user picks. Undefined when there is none or it was cancelled. */
export async function chooseInstance(
  parts: Parts,
  argument: unknown,
  title: string,
): Promise<Instance | undefined> {
  const node = nodeFrom(argument);
  if (node?.kind === 'instance') {
    const instance = parts.store.find(node.id);
    if (instance === undefined) {
      // as for a button of an old notification
      void vscode.window.showWarningMessage(vscode.l10n.t('That instance is gone.'));
    }
    return instance;
  }
  const picked = await pickOne<Instance>({ title, placeholder: vscode.l10n.t('Instance') }, () =>
    instanceChoices(parts, undefined),
  );
  return picked.kind === 'picked' ? picked.value : undefined;
}

/** The instances as they are now, the likeliest first; undefined where there are none, which the user is told. */
export async function instanceChoices(
  parts: Parts,
  likeliestId: string | undefined,
): Promise<readonly Choice<Instance>[] | undefined> {
  const listed = await parts.store.refresh();
  if (listed.kind === 'failed') {
    void showFailure(listed.failure, parts.log);
    return undefined;
  }
  if (listed.kind === 'cancelled') {
    return undefined;
  }
  if (listed.value.length === 0) {
    void offerCreate();
    return undefined;
  }
  await parts.offers.load();
  return [...listed.value]
    .sort(
      (a, b) =>
        Number(b.id === likeliestId) - Number(a.id === likeliestId) || Number(isOn(b)) - Number(isOn(a)),
    )
    .map((instance) => choice(parts, instance));
}

/** The instances that were selected in the view, or the one that the user picks. */
export async function chooseInstances(
  parts: Parts,
  argument: unknown,
  selected: unknown,
  title: string,
): Promise<readonly Instance[]> {
  const nodes = Array.isArray(selected)
    ? selected.map(nodeFrom).filter((node) => node?.kind === 'instance')
    : [];
  if (nodes.length > 1) {
    return nodes.flatMap((node) => (node === undefined ? [] : (parts.store.find(node.id) ?? [])));
  }
  const one = await chooseInstance(parts, argument, title);
  return one === undefined ? [] : [one];
}

function choice(parts: Parts, instance: Instance): Choice<Instance> {
  const offer = parts.offers.known(instance.type);
  return {
    label: instance.name,
    description: `${formatGpu(instance, offer)} · ${formatCost(instance, offer)} · ${instance.reported.status}`,
    iconPath: new vscode.ThemeIcon(isOn(instance) ? 'vm-running' : 'vm-outline'),
    value: instance,
  };
}

async function offerCreate(): Promise<void> {
  const create = vscode.l10n.t('Create Instance…');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('You have no instances yet.'),
    create,
  );
  if (chosen === create) {
    await vscode.commands.executeCommand('brev.createInstance');
  }
}
