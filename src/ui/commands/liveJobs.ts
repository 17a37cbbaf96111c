import * as vscode from 'vscode';
import type { Instance } from '../../instances/instance.ts';
import { isTerminal } from '../../jobs/jobs.ts';
import type { Parts } from '../parts.ts';

/** The sentence that warns of jobs which may be running on an instance; none when there are none. */
export function liveJobsSentence(parts: Parts, instance: Instance): readonly string[] {
  const live = parts.jobs.all.filter(
    (job) => job.details.instanceId === instance.id && !isTerminal(job.state),
  );
  return live.length === 0
    ? []
    : [vscode.l10n.t('Jobs that end with it: {0}', live.map((job) => job.details.id).join(', '))];
}
