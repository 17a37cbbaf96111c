import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Job } from '../../src/jobs/job.ts';
import type { Parts } from '../../src/ui/parts.ts';
import type { Scenario } from '../brev-sim/machine/tao/scenario.ts';
import { cloud } from './extension.ts';

export const IMAGE = 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt';

/** Lets an instance of the simulated cloud pull TAO images without a login. */
export async function allowPulls(instance: string): Promise<void> {
  const { machine } = await (await cloud()).instance(instance);
  writeFileSync(
    path.join(machine, 'registry.json'),
    JSON.stringify({ public: ['nvcr.io/nvidia/tao'], pullSeconds: 1 }),
  );
}

/** Starts a training on an instance by name, as Run Spec does after its questions. */
export async function startTraining(
  parts: Parts,
  run: {
    readonly instance: string;
    readonly epochs: number;
    /** How it goes, in the simulator's words; well, without one. */
    readonly scenario?: Scenario;
    readonly specUri?: string;
  },
): Promise<Job> {
  await allowPulls(run.instance);
  const listed = await parts.store.refresh();
  assert.equal(listed.kind, 'ok');
  const instance = parts.store.instances.find(({ name }) => name === run.instance);
  assert.ok(instance);
  const submitted = await parts.jobs.submit({
    platform: 'brev',
    work: {
      kind: 'spec',
      spec: {
        network: 'segformer',
        action: 'train',
        image: IMAGE,
        gpus: 'all',
        specFile: {
          name: 'spec.yaml',
          content: Buffer.from(
            `results_dir: /results\nsim: ${run.scenario ?? 'ok'}\ntrain:\n  num_epochs: ${run.epochs}\n`,
          ),
        },
      },
    },
    instance,
    specUri: run.specUri ?? 'file:///spec.yaml',
    secrets: { environment: new Map(), ngcKey: undefined },
    onStep: () => undefined,
    signal: new AbortController().signal,
  });
  assert.equal(submitted.kind, 'ok', JSON.stringify(submitted));
  return submitted.kind === 'ok' ? submitted.value : assert.fail();
}
