import * as vscode from 'vscode';
import { samplePlan } from '../workflow/samplePlan.ts';
import type { Command } from './command.ts';

/** Opens a new plan that can be changed and saved. */
export const createPlan: Command = {
  id: 'brev.createPlan',
  run: async (parts) => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const target = await vscode.window.showSaveDialog({
      title: vscode.l10n.t('New Plan'),
      ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, 'train.brevflow.yaml') }),
      filters: { YAML: ['brevflow.yaml', 'yaml'] },
    });
    if (target === undefined) {
      return;
    }
    // the dialog takes any name, and only by this one a plan is known
    if (!/\.brevflow\.ya?ml$/i.test(target.path)) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('The name of a new plan ends with .brevflow.yaml, such as train.brevflow.yaml.'),
      );
      return;
    }
    const bucket = (await parts.credentials.find('S3_BUCKET_NAME'))?.value ?? 'my-bucket';
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(samplePlan(bucket)));
    await vscode.window.showTextDocument(target);
  },
};
