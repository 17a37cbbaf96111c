import * as vscode from 'vscode';
import type { Parts } from '../parts.ts';

/** When the last job of an ephemeral instance has ended, asks what is to become of its results and of it. */
export function askWhenEphemeralEnds(
  parts: Pick<Parts, 'jobs' | 'store' | 'wishes' | 'log'>,
): vscode.Disposable {
  return new vscode.Disposable(
    // told in one window only
    parts.jobs.onEnd(({ job }) => {
      ask(parts, job.details.instanceId).catch((error: unknown) =>
        parts.log.error(`the end of an ephemeral instance: ${String(error)}`),
      );
    }),
  );
}

async function ask(
  { jobs, store, wishes }: Pick<Parts, 'jobs' | 'store' | 'wishes'>,
  instanceId: string,
): Promise<void> {
  const live = jobs.all.some(
    ({ details, state }) => details.instanceId === instanceId && (state === 'PENDING' || state === 'RUNNING'),
  );
  if (live || wishes.get(instanceId)?.lifetime !== 'ephemeral') {
    return;
  }
  // a job may end before anybody has looked at the instances
  if (store.find(instanceId) === undefined) {
    await store.refresh();
  }
  if (store.find(instanceId) !== undefined) {
    await vscode.commands.executeCommand('brev.finishEphemeral', { kind: 'instance', id: instanceId });
  }
}
