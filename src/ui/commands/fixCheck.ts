import * as vscode from 'vscode';
import { localize } from '../localize.ts';
import { pickOne } from '../quickInput.ts';
import { fixWords } from '../setup/fixWords.ts';
import { performFix } from '../setup/performFix.ts';
import { showFailure } from '../showFailure.ts';
import type { Command } from './command.ts';

/** Fixes a line of the Setup view, after the user agreed, and checks everything again. */
export const fixCheck: Command = {
  id: 'brev.fixCheck',
  run: async (parts, argument) => {
    const setup = await parts.setupView.setup();
    const id = checkFrom(argument) ?? (await pick(setup.lines));
    const fix = id === undefined ? undefined : parts.setupView.line(id)?.result?.fix;
    if (fix === undefined) {
      return;
    }
    const outcome = await setup.fix(() => performFix(parts, fix));
    if (outcome.kind === 'failed') {
      await showFailure(outcome.failure, parts.log);
    }
    if (outcome.kind === 'ok') {
      await parts.store.refresh();
    }
  },
};

async function pick(
  lines: Awaited<ReturnType<Parameters<Command['run']>[0]['setupView']['setup']>>['lines'],
): Promise<string | undefined> {
  const fixable = lines.flatMap(({ id, title, result }) =>
    result?.fix === undefined ? [] : [{ id, title, fix: result.fix }],
  );
  if (fixable.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There is nothing to fix. Run the checks first to be sure.'),
    );
    return undefined;
  }
  const picked = await pickOne<string>({ title: vscode.l10n.t('Fix') }, async () =>
    fixable.map(({ id, title, fix }) => ({ label: localize(title), detail: fixWords(fix), value: id })),
  );
  return picked.kind === 'picked' ? picked.value : undefined;
}

function checkFrom(argument: unknown): string | undefined {
  return typeof argument === 'object' &&
    argument !== null &&
    'kind' in argument &&
    argument.kind === 'check' &&
    'id' in argument &&
    typeof argument.id === 'string'
    ? argument.id
    : undefined;
}
