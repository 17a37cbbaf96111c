import * as vscode from 'vscode';
import { launchableId } from '../../brev/create.ts';
import { freeName } from '../../brev/instanceName.ts';
import { askText } from '../quickInput.ts';
import type { Command } from './command.ts';
import { createAndReport } from './createAndReport.ts';
import { nameProblem } from './createQuestions.ts';

const STEPS = 2;

/** Creates what a launchable describes, and says what of it nobody can see from here. */
export const deployLaunchable: Command = {
  id: 'brev.deployLaunchable',
  run: async (parts) => {
    await vscode.commands.executeCommand('brev.instances.focus');
    const pasted = await askText({
      title: vscode.l10n.t('Deploy Launchable'),
      step: 1,
      totalSteps: STEPS,
      placeholder: 'https://…?launchableID=env-…',
      prompt: vscode.l10n.t('The address of its page, or its id'),
      validate: (text) =>
        launchableId(text) === undefined
          ? vscode.l10n.t('Paste an address with launchableID=env-…, or an id like env-….')
          : undefined,
    });
    const launchable = pasted.kind === 'picked' ? launchableId(pasted.value) : undefined;
    if (launchable === undefined) {
      return;
    }
    const taken = parts.store.instances.filter(({ status }) => status !== 'deleting').map(({ name }) => name);
    const name = await askText({
      title: vscode.l10n.t('Deploy Launchable: Name'),
      step: 2,
      totalSteps: STEPS,
      value: freeName('launchable', taken),
      prompt: vscode.l10n.t(
        'Press Enter to create it. The launchable decides which machine is rented: its price is not known before, and it is billed until you delete it.',
      ),
      validate: (text) => nameProblem(text, taken),
    });
    if (name.kind !== 'picked') {
      return;
    }
    const created = await createAndReport(parts, {
      request: { name: name.value, launchable },
      lifetime: 'reused',
    });
    if (created) {
      await sayWhatIsUnverified(name.value);
    }
  },
};

/** Versions of the CLI have dropped these without a word (users.md A, #406 and #394), and no list shows them. */
async function sayWhatIsUnverified(name: string): Promise<void> {
  const console = vscode.l10n.t('Open Console');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      '{0} was asked for. What the launchable promises could not be verified from here: its open ports, its location, and whether its setup script ran. Compare with the console.',
      name,
    ),
    console,
  );
  if (chosen === console) {
    await vscode.commands.executeCommand('brev.openConsole');
  }
}
