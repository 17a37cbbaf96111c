import * as vscode from 'vscode';
import type { Instance } from '../../instances/instance.ts';
import type { Parts } from '../parts.ts';
import { type Choice, pickOne } from '../quickInput.ts';
import { instanceChoices } from './chooseInstance.ts';

/** Where a spec can run: an instance, or Lepton, once that is set up. Undefined when nothing was chosen. */
export async function chooseTarget(
  parts: Parts,
  title: string,
  likeliestId: string | undefined,
): Promise<Instance | 'lepton' | undefined> {
  const account = await parts.credentials.leptonAccount();
  const lepton: readonly Choice<Instance | 'lepton'>[] =
    account.kind === 'absent'
      ? []
      : [
          {
            label: 'NVIDIA DGX Cloud Lepton…',
            description:
              account.kind === 'ok'
                ? vscode.l10n.t('one node or several, in the workspace {0}', account.account.workspaceId)
                : vscode.l10n.t('not set up completely'),
            iconPath: new vscode.ThemeIcon('server-environment'),
            value: 'lepton',
          },
        ];
  const isLikeliest = account.kind === 'ok' && account.account.workspaceId === likeliestId;
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator };
  const picked = await pickOne<Instance | 'lepton'>(
    { title, placeholder: vscode.l10n.t('Instance') },
    async () => {
      const instances = await instanceChoices(parts, likeliestId);
      if (instances === undefined || lepton.length === 0) {
        return instances ?? (lepton.length === 0 ? undefined : lepton);
      }
      return isLikeliest ? [...lepton, separator, ...instances] : [...instances, separator, ...lepton];
    },
  );
  return picked.kind === 'picked' ? picked.value : undefined;
}
