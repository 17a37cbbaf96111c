import * as vscode from 'vscode';
import type { Job } from '../../jobs/job.ts';
import { nodeFrom } from '../instances/nodes.ts';
import type { Parts } from '../parts.ts';
import { pickOne } from '../quickInput.ts';

/** The job that a menu passed, or the one that the user picks among those that `accept` takes. */
export async function chooseJob(
  parts: Parts,
  argument: unknown,
  title: string,
  accept: (job: Job) => boolean = () => true,
): Promise<Job | undefined> {
  const node = nodeFrom(argument);
  if (node?.kind === 'job') {
    return parts.jobs.find(node.id);
  }
  const jobs = parts.jobs.all.filter(accept);
  if (jobs.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There are no such jobs.'));
    return undefined;
  }
  const picked = await pickOne<Job>({ title, placeholder: vscode.l10n.t('Job') }, async () =>
    jobs.map((job) => ({
      label: job.details.id,
      description: `${job.state} · ${job.details.instanceName}`,
      value: job,
    })),
  );
  return picked.kind === 'picked' ? picked.value : undefined;
}
