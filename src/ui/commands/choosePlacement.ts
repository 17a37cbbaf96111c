import * as vscode from 'vscode';
import {
  findPlacements,
  isPlacementId,
  type PlacementChoices,
  storePlacement,
  whereToFindPlacement,
} from '../../preflight/placement.ts';
import { localize } from '../localize.ts';
import type { Parts } from '../parts.ts';
import { askText, type Picked, pickOne } from '../quickInput.ts';
import { showFailure } from '../showFailure.ts';
import type { Command } from './command.ts';

/** Chooses the cloud credential and workspace group of new instances, once for all. Gives true when they were stored. */
export const choosePlacement: Command = {
  id: 'brev.choosePlacement',
  run: async (parts) => {
    const found = await findPlacements(parts.brev);
    if (found.kind === 'failed') {
      await showFailure(found.failure, parts.log);
    }
    if (found.kind !== 'ok') {
      return false;
    }
    if (found.value.kind === 'notNeeded') {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('The installed Brev CLI takes no placement: Brev chooses the place itself.'),
      );
      return false;
    }
    return choose(parts, found.value);
  },
};

async function choose(
  parts: Parts,
  choices: Extract<PlacementChoices, { kind: 'needed' }>,
): Promise<boolean> {
  const credential = await pickOrType(
    vscode.l10n.t('Placement: Cloud Credential'),
    1,
    choices.cloudCredentials.map(({ id, name }) => ({ id, label: name ?? id })),
  );
  if (credential.kind !== 'picked') {
    return false;
  }
  const group = await pickOrType(
    vscode.l10n.t('Placement: Workspace Group'),
    2,
    choices.workspaceGroupIds.map((id) => ({ id, label: id })),
  );
  if (group.kind !== 'picked') {
    return false;
  }
  const stored = await storePlacement(parts.credentials.envFilePath, {
    cloudCredId: credential.value,
    workspaceGroupId: group.value,
  });
  if (stored.kind === 'failed') {
    await showFailure(stored.failure, parts.log);
  }
  return stored.kind === 'ok';
}

/** One of the ids that the CLI tells, or one that the user types. */
async function pickOrType(
  title: string,
  step: number,
  known: readonly { readonly id: string; readonly label: string }[],
): Promise<Picked<string>> {
  if (known.length > 0) {
    const placeholder = vscode.l10n.t('Where your instances run and who pays; kept for every later one');
    const picked = await pickOne<string>({ title, step, totalSteps: 2, placeholder }, async () => [
      ...known.map(({ id, label }) => ({ label, description: label === id ? '' : id, value: id })),
      { label: vscode.l10n.t('Another id…'), iconPath: new vscode.ThemeIcon('edit'), value: '' },
    ]);
    if (picked.kind !== 'picked' || picked.value !== '') {
      return picked;
    }
  }
  return askText({
    title,
    step,
    totalSteps: 2,
    prompt: `${localize(whereToFindPlacement.sentence)} ${whereToFindPlacement.url}`,
    validate: (value) => (isPlacementId(value.trim()) ? undefined : vscode.l10n.t('Type the id.')),
  });
}
