import { copyFunction, inputLines } from '../platforms/copyLines.ts';
import type { LeptonPlacement } from '../platforms/lepton/placement.ts';
import type { JobWork } from '../tao/runSpec.ts';
import type { Step } from './plan.ts';
import { RESULTS } from './readStep.ts';
import { placeOfFailed } from './s3Places.ts';

/** What a step's job runs. The spec is the content of its file; undefined for a command. */
export function workOf(step: Step, jobId: string, spec: Uint8Array | undefined): JobWork {
  const { inputs, work } = step;
  const copies = inputs.map(({ kind, path, uri }) => ({ kind, path, uri }));
  // Lepton copies by itself
  const ours = step.platform === 'lepton' ? [] : copies;
  switch (work.kind) {
    case 'command': {
      const onMachine = work.image === undefined;
      // on Lepton it is where its outputs are copied from
      const results = onMachine
        ? `"$HOME"/.brev-jobs/${jobId}${RESULTS}`
        : step.platform === 'lepton'
          ? (step.outputs.find(({ kind }) => kind === 'folder')?.path ?? RESULTS)
          : RESULTS;
      const command = [
        `export RESULTS_DIR=${results}`,
        'mkdir -p "$RESULTS_DIR"',
        ...(ours.length === 0 ? [] : [copyFunction, ...inputLines(ours, onMachine ? '"$HOME"' : '')]),
        work.command,
      ].join('\n');
      return {
        kind: 'command',
        command,
        ...(work.image === undefined ? {} : { container: { image: work.image, gpus: step.gpus } }),
      };
    }
    case 'spec':
      return {
        kind: 'spec',
        spec: {
          network: work.network,
          action: work.action,
          image: work.image,
          gpus: step.gpus,
          specFile: { name: 'spec.yaml', content: spec ?? new Uint8Array() },
          ...(ours.length === 0 ? {} : { inputs: ours }),
        },
      };
  }
}

/** Where on Lepton a step runs, and what it gets and leaves; undefined for steps on Brev. */
export function placementOf(
  step: Step,
  jobId: string,
  environment: Readonly<Record<string, string>>,
): LeptonPlacement | undefined {
  if (step.platform !== 'lepton' || step.shape === undefined) {
    return undefined;
  }
  return {
    resourceShape: step.shape,
    ...(step.nodeGroup === undefined ? {} : { nodeGroup: step.nodeGroup }),
    nodes: step.nodes,
    ...(step.work.kind === 'command' && step.work.image !== undefined ? { image: step.work.image } : {}),
    environment,
    imagePullSecrets: step.pullSecrets,
    inputs: step.inputs.map(({ kind, path, uri }) => ({ kind, path, uri })),
    outputs: step.outputs.map((output) => ({ ...output, failedUri: placeOfFailed(output, jobId) })),
  };
}

/** What a job needs to copy from and to S3. */
const S3_KEYS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;

/** The secrets that the Lepton workspace must have for a step, by their names. */
export function leptonSecrets({ env, inputs, outputs }: Step): readonly string[] {
  return [...new Set([...env, ...(inputs.length + outputs.length > 0 ? S3_KEYS : [])])];
}
