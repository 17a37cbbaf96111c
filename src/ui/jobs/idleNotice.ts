import * as vscode from 'vscode';
import { costOf } from '../../instances/runningCost.ts';
import { type IdleInstance, IdleReminder, type IdleReminderOptions } from '../../jobs/idleReminder.ts';
import { duration } from '../instances/timelineWords.ts';
import type { Parts } from '../parts.ts';
import { formatAmount, formatPrice } from '../price.ts';

/** Asks what is to become of an instance that goes on costing money with nothing to do. */
export function remindOfIdle(
  parts: Parts,
  options: Pick<IdleReminderOptions, 'marks' | 'seenOn' | 'inUse' | 'idleMs' | 'clock'>,
): vscode.Disposable {
  const reminder = new IdleReminder({ ...parts, ...options, log: (line) => parts.log.warn(line) });
  reminder.look();
  return vscode.Disposable.from(
    reminder,
    new vscode.Disposable(
      reminder.onIdle((idle) => {
        ask(parts, idle).catch((error: unknown) => parts.log.error(`an idle instance: ${String(error)}`));
      }),
    ),
    new vscode.Disposable(parts.terminals.onClose((id) => reminder.used(id))),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('brev.idleReminderMinutes')) {
        reminder.look();
      }
    }),
  );
}

async function ask({ offers }: Pick<Parts, 'offers'>, { instance, since }: IdleInstance): Promise<void> {
  await offers.load();
  const offer = offers.known(instance.type);
  const price = offer?.pricePerHour;
  const idleMs = Date.now() - since;
  const stop = vscode.l10n.t('Stop…');
  const remove = vscode.l10n.t('Delete…');
  const keep = vscode.l10n.t('Keep');
  const chosen = await vscode.window.showWarningMessage(
    price === undefined
      ? vscode.l10n.t(
          '{0} has been idle for {1}. It is on, and what it costs is not known.',
          instance.name,
          duration(idleMs),
        )
      : vscode.l10n.t(
          '{0} has been idle for {1} and costs {2} (about {3} since then).',
          instance.name,
          duration(idleMs),
          formatPrice(price),
          formatAmount(costOf(price, idleMs)),
        ),
    ...(offer?.stoppable === false ? [] : [stop]),
    remove,
    keep,
  );
  const node = { kind: 'instance', id: instance.id };
  if (chosen === stop) {
    await vscode.commands.executeCommand('brev.stopInstance', node);
  } else if (chosen === remove) {
    await vscode.commands.executeCommand('brev.deleteInstance', node);
  }
}
