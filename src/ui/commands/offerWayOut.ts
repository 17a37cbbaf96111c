import * as vscode from 'vscode';
import { freeName } from '../../brev/instanceName.ts';
import type { Instance } from '../../instances/instance.ts';
import { doubts } from '../../instances/timeline.ts';
import { doubtWords } from '../instances/timelineWords.ts';
import { localize } from '../localize.ts';
import type { Parts } from '../parts.ts';
import { formatPrice } from '../price.ts';
import { chooseInstance } from './chooseInstance.ts';
import type { Command } from './command.ts';
import { createAndReport } from './createAndReport.ts';

/** For an instance that is stuck or has failed: another type, another provider, delete, or go on waiting. */
export const offerWayOut: Command = {
  id: 'brev.offerWayOut',
  run: async (parts, argument) => {
    const instance = await chooseInstance(parts, argument, vscode.l10n.t('Stuck Instance'));
    if (instance === undefined) {
      return;
    }
    const wish = parts.wishes.get(instance.id);
    const [next, ...rest] = wish?.otherTypes ?? [];
    await parts.offers.load();
    // a notification shortens long labels, and more than a few
    const tryNext = next === undefined ? undefined : vscode.l10n.t('Try Next Type');
    const another = vscode.l10n.t('Other GPU…');
    const console = vscode.l10n.t('Console');
    const remove = vscode.l10n.t('Delete…');
    const wait = vscode.l10n.t('Wait');
    const chosen = await vscode.window.showWarningMessage(
      [
        situation(parts, instance),
        ...(next === undefined
          ? []
          : [
              vscode.l10n.t(
                'The next of your types is {0}, {1}.',
                next.type,
                formatPrice(parts.offers.known(next.type)?.pricePerHour),
              ),
            ]),
      ].join(' '),
      ...(tryNext === undefined ? [] : [tryNext]),
      another,
      console,
      remove,
      wait,
    );
    switch (chosen) {
      case wait:
        parts.readiness.watch(instance.id, true);
        return;
      case console:
        await vscode.commands.executeCommand('brev.openConsole');
        return;
      case remove:
        await vscode.commands.executeCommand('brev.deleteInstance', { kind: 'instance', id: instance.id });
        return;
      case another:
        await vscode.commands.executeCommand('brev.createInstance');
        return;
      case tryNext:
        if (next !== undefined) {
          const taken = parts.store.instances.map(({ name }) => name);
          const created = await createAndReport(parts, {
            request: { name: freeName(instance.name, taken), types: [next, ...rest] },
            lifetime: wish?.lifetime ?? 'reused',
          });
          // the stuck one is still there, and may bill; without another one it may be wanted yet
          if (created) {
            await vscode.commands.executeCommand('brev.deleteInstance', {
              kind: 'instance',
              id: instance.id,
            });
          }
        }
        return;
    }
  },
};

/** What keeps it from being ready: what the wait for it ended with, or else the state that it is in. */
function situation(parts: Parts, instance: Instance): string {
  const state = parts.readiness.state(instance.id);
  if (state?.kind === 'ended' && state.readiness.kind === 'notReady') {
    return localize(state.readiness.because.message);
  }
  const doubt = doubts(instance)[0];
  return vscode.l10n.t(
    '{0} does not get ready ({1}). It may be billing all the while.',
    instance.name,
    doubt === undefined ? instance.reported.status || '?' : doubtWords(doubt),
  );
}
