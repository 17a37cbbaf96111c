import * as vscode from 'vscode';
import { isTerminal } from '../../jobs/job.ts';
import { cancellable } from '../cancellable.ts';
import { showFailure } from '../showFailure.ts';
import { chooseJob } from './chooseJob.ts';
import type { Command } from './command.ts';
import { confirmRunning } from './confirmRunning.ts';

/** Follows a job that an agent, a script or a colleague submitted: its log, progress and end arrive here like one's own. */
export const adoptJob: Command = {
  id: 'brev.adoptJob',
  run: async (parts, argument) => {
    const job = await chooseJob(
      parts,
      argument,
      vscode.l10n.t('Follow Job'),
      (each) => each.foreign && each.details.platform === 'brev' && !isTerminal(each.state),
    );
    if (job === undefined) {
      return;
    }
    const { id, instanceName } = job.details;
    if (instanceName === '') {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('The record of {0} does not say yet which instance it is on.', id),
      );
      return;
    }
    const listed = await parts.store.refresh();
    if (listed.kind === 'failed') {
      await showFailure(listed.failure, parts.log);
    }
    if (listed.kind !== 'ok') {
      return;
    }
    const named = listed.value.find(({ name }) => name === instanceName);
    if (named === undefined) {
      void vscode.window.showWarningMessage(vscode.l10n.t('{0} is gone.', instanceName));
      return;
    }
    const instance = await confirmRunning(parts, named);
    if (instance === undefined) {
      return;
    }
    const outcome = await cancellable(vscode.l10n.t('Looking for {0} on {1}', id, instanceName), (signal) =>
      parts.jobs.adopt(id, instance, signal),
    );
    if (outcome.kind === 'failed') {
      await showFailure(outcome.failure, parts.log, instance.id);
    } else if (outcome.kind === 'ok') {
      parts.jobLogs.show(outcome.value);
    }
  },
};
