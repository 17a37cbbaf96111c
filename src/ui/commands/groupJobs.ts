import type { Command } from './command.ts';

/** Groups the jobs by instance, or by state. */
export const groupJobs: Command = {
  id: 'brev.groupJobs',
  run: (parts) => parts.jobsView.toggleGrouping(),
};
