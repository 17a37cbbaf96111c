import * as vscode from 'vscode';
import { makeJobId } from '../../jobs/job.ts';
import type { LeptonOutput, LeptonPlacement } from '../../platforms/lepton/placement.ts';
import type { JobWork, RunInput } from '../../tao/runSpec.ts';
import { guessRun } from '../../tao/spec/guessRun.ts';
import { submitJob } from '../commands/submitJob.ts';
import type { Parts } from '../parts.ts';
import { showFailure } from '../showFailure.ts';
import { leptonWorkspace } from './leptonWorkspace.ts';
import { type LeptonRun, reviewLeptonRun } from './reviewLeptonRun.ts';
import { type LeptonVariables, workspaceSecrets } from './workspaceSecrets.ts';

/** Runs a spec on Lepton, on as many nodes as it is for: the same steps as on an instance. */
export async function runOnLepton(
  parts: Parts,
  from: { readonly uri: vscode.Uri; readonly content: Uint8Array; readonly name: string },
): Promise<void> {
  const workspace = await leptonWorkspace(parts.credentials);
  if (workspace.kind !== 'ok') {
    if (workspace.kind === 'failed') {
      await showFailure(workspace.failure, parts.log);
    }
    return;
  }
  const client = workspace.value;
  const guess = await guessRun(from.content, vscode.workspace.asRelativePath(from.uri));
  const review = await reviewLeptonRun(parts, client, from.uri, from.content, guess);
  if (review === undefined) {
    return;
  }
  const inputs = inputsOf(review);
  const work: JobWork = {
    kind: 'spec',
    spec: {
      ...review.run,
      specFile: { name: from.name, content: from.content },
      ...(inputs.length === 0 ? {} : { inputs }),
    },
  };
  const id = makeJobId(work);
  const outputs = outputsOf(id, review);
  const variables = await workspaceSecrets(parts, client, inputs.length + outputs.length > 0);
  if (variables === undefined) {
    return;
  }
  await submitJob(
    parts,
    { id: client.workspaceId, name: client.workspaceId },
    {
      id,
      platform: 'lepton',
      work,
      placement: placementOf(review, outputs, variables),
      specUri: from.uri.toString(),
    },
  );
}

function inputsOf({ choice, needs }: LeptonRun): readonly RunInput[] {
  return needs.inputs.flatMap((path) => {
    const uri = choice.inputs?.[path];
    return uri === undefined ? [] : [{ uri, path, kind: uri.endsWith('/') ? 'folder' : 'file' } as const];
  });
}

function outputsOf(id: string, { needs, output }: LeptonRun): readonly LeptonOutput[] {
  return needs.results.kind === 's3' || output === undefined
    ? []
    : [{ uri: `${output}/${id}`, path: needs.results.path, kind: 'folder' }];
}

function placementOf(
  { choice, nodes }: LeptonRun,
  outputs: readonly LeptonOutput[],
  variables: LeptonVariables,
): LeptonPlacement {
  const { nodeGroup, pullSecret, resourceShape } = choice;
  return {
    resourceShape,
    nodes,
    ...(nodeGroup === undefined ? {} : { nodeGroup }),
    ...(pullSecret === undefined ? {} : { imagePullSecrets: [pullSecret] }),
    ...variables,
    ...(outputs.length === 0 ? {} : { outputs }),
  };
}
