import * as vscode from 'vscode';
import { isTerminal, makeJobId } from '../../jobs/job.ts';
import type { LeptonPlacement } from '../../platforms/lepton/placement.ts';
import { isPlatformId } from '../../platforms/platform.ts';
import { chooseJob } from './chooseJob.ts';
import type { Command } from './command.ts';
import { confirmRunning } from './confirmRunning.ts';
import { submitJob } from './submitJob.ts';

/** Runs an ended job again, as a new job whose record names the old one. */
export const retryJob: Command = {
  id: 'brev.retryJob',
  run: async (parts, argument) => {
    const job = await chooseJob(
      parts,
      argument,
      vscode.l10n.t('Run Job Again'),
      (each) => !each.foreign && isTerminal(each.state),
    );
    if (job === undefined) {
      return;
    }
    const { id, instanceId, instanceName, placement, platform, specUri } = job.details;
    if (!isTerminal(job.state)) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('{0} may still be running. Cancel it first, so that it does not run twice.', id),
      );
      return;
    }
    const work = await parts.jobs.work(job);
    if (work === undefined || !isPlatformId(platform)) {
      void vscode.window.showWarningMessage(vscode.l10n.t('What {0} ran was not kept on this computer.', id));
      return;
    }
    const again = { platform, work, specUri, retryOf: id };
    if (platform === 'lepton') {
      const workspace = { id: instanceId, name: instanceName };
      const newId = makeJobId(work);
      await submitJob(parts, workspace, {
        ...again,
        id: newId,
        ...(placement === undefined ? {} : { placement: forJob(newId, id, placement) }),
      });
      return;
    }
    const known = parts.store.find(instanceId);
    if (known === undefined) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('{0} is gone. Run the spec on another instance.', instanceName),
      );
      return;
    }
    const instance = await confirmRunning(parts, known);
    if (instance !== undefined) {
      await submitJob(parts, instance, again);
    }
  },
};

/** The results of the old job stay: each job's go into a folder of its own name. */
function forJob(id: string, oldId: string, placement: LeptonPlacement): LeptonPlacement {
  const { outputs = [], ...others } = placement;
  return {
    ...others,
    outputs: outputs.map((copy) => ({
      ...copy,
      uri: copy.uri.endsWith(`/${oldId}`) ? `${copy.uri.slice(0, -oldId.length)}${id}` : copy.uri,
    })),
  };
}
