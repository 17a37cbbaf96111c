import * as vscode from 'vscode';
import { pickOne } from '../quickInput.ts';
import { isPlanFile } from '../workflow/planName.ts';
import { uriFrom } from './uriFrom.ts';

/** The plan that a lens or a menu passed, that is being edited, or that the user picks in the workspace. */
export async function choosePlan(argument: unknown): Promise<vscode.Uri | undefined> {
  const given = uriFrom(argument);
  if (given !== undefined) {
    return given;
  }
  const active = vscode.window.activeTextEditor?.document.uri;
  if (active !== undefined && isPlanFile(active)) {
    return active;
  }
  const found = await vscode.workspace.findFiles('**/*.brevflow.{json,yaml,yml}', '**/node_modules/**', 100);
  if (found.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There is no plan in the workspace (*.brevflow.yaml or *.brevflow.json).'),
    );
    return undefined;
  }
  const picked = await pickOne<vscode.Uri>(
    { title: vscode.l10n.t('Plan'), placeholder: vscode.l10n.t('Which plan?') },
    async () => found.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), value: uri })),
  );
  return picked.kind === 'picked' ? picked.value : undefined;
}
