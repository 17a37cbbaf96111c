import * as vscode from 'vscode';
import type { Job } from '../../jobs/job.ts';
import { nodeFrom } from '../instances/nodes.ts';
import { pickMany } from '../quickInput.ts';
import type { Command } from './command.ts';

/** Shows the curves of several jobs over each other. */
export const compareJobs: Command = {
  id: 'brev.compareJobs',
  run: async (parts, argument, selected) => {
    const chosen = (Array.isArray(selected) ? selected : [argument])
      .map(nodeFrom)
      .flatMap((node) => (node?.kind === 'job' ? [node.id] : []));
    if (chosen.length > 1) {
      (await parts.panels()).show(chosen);
      return;
    }
    const others = parts.jobs.all.filter((job) => !job.foreign && !chosen.includes(job.details.id));
    const picked = await pickMany<Job>(
      { title: vscode.l10n.t('Compare With'), placeholder: vscode.l10n.t('Jobs whose curves are shown too') },
      async () =>
        others.map((job) => ({
          label: job.details.id,
          description: `${job.state} · ${new Date(job.details.submittedAt).toLocaleString()}`,
          value: job,
        })),
    );
    if (picked.kind === 'picked' && picked.value.length > 0) {
      (await parts.panels()).show([...chosen, ...picked.value.map((job) => job.details.id)]);
    }
  },
};
