import assert from 'node:assert/strict';
import { BrevSdkPlatform } from '../../../../src/platforms/brevSdk/brevSdkPlatform.ts';
import { createdJob } from '../../../../src/platforms/brevSdk/bridgeAnswers.ts';
import { jobVariables } from '../../../../src/platforms/brevSdk/jobVariables.ts';
import prepareScript from '../../../../src/platforms/brevSdk/prepareSdk.sh';
import type { SdkBridge } from '../../../../src/platforms/brevSdk/sdkBridge.ts';
import type { JobEnd, JobSecrets, JobStream, JobTarget } from '../../../../src/platforms/platform.ts';
import { systemClock } from '../../../../src/process/clock.ts';
import { ExecShell } from '../../../../src/remote/execShell.ts';
import type { JobWork } from '../../../../src/tao/runSpec.ts';
import { ok } from '../../../../src/values/outcome.ts';
import type { SimOptions } from '../../../brev-sim/sim.ts';
import { brevOn } from '../../../support/brev-client.ts';
import { value } from '../../../support/outcomes.ts';
import { createSdkCloud, type SdkCloud } from './sdkCloud.ts';

export const never = new AbortController().signal;
export const NO_SECRETS: JobSecrets = { environment: new Map(), ngcKey: undefined };
export const SPEC =
  'results_dir: /results\nsim:\n  steps: 2\n  epoch_seconds: 0.1\ntrain:\n  num_epochs: 1\n';

/** A run of a spec in an image that anybody may pull. */
export const specWork = (content = SPEC, image = 'me/tao-toolkit:7.1.0-pyt'): JobWork => ({
  kind: 'spec',
  spec: {
    network: 'segformer',
    action: 'train',
    image,
    gpus: 'all',
    specFile: { name: 'spec.yaml', content: Buffer.from(content) },
  },
});

/** What came of following a job to its end. */
export interface Followed {
  readonly end: JobEnd;
  readonly log: string;
  readonly status: string;
}

/** The platform on a simulated cloud, as the extension builds it, with its shell by exec. */
export interface PlatformCloud extends SdkCloud {
  readonly platform: BrevSdkPlatform;
  readonly sdk: SdkBridge;
  target(jobId: string): Promise<JobTarget>;
  /** Follows a job to its end. */
  toEnd(target: JobTarget, platform?: BrevSdkPlatform): Promise<Followed>;
  /** What submit does, with a command of any kind. */
  launch(target: JobTarget, secrets: JobSecrets, command: string): Promise<void>;
  anotherPlatform(bridge: SdkBridge): BrevSdkPlatform;
}

export async function createPlatformCloud(options: SimOptions = {}): Promise<PlatformCloud> {
  const cloud = await createSdkCloud(options);
  const brev = brevOn(cloud.sim);
  const notes: string[] = [];
  const anotherPlatform = (bridge: SdkBridge): BrevSdkPlatform =>
    new BrevSdkPlatform({
      clock: systemClock,
      shell: async ({ instanceName }) => ok(new ExecShell(brev, instanceName)),
      bridge: async () => ok(bridge),
      placement: async () => undefined,
      log: (line) => notes.push(line),
    });
  const sdk = cloud.bridge();
  const platform = anotherPlatform(sdk);
  return {
    ...cloud,
    platform,
    sdk,
    anotherPlatform,
    launch: async ({ jobId, instanceName }, secrets, command) => {
      const { input, open } = jobVariables(secrets);
      const image = 'ubuntu:22.04';
      const options = { timeoutMs: 60_000, signal: never, ...(input === undefined ? {} : { input }) };
      const shell = new ExecShell(brev, instanceName);
      const prepared = value(await shell.run({ text: prepareScript, args: [jobId, image] }, options));
      assert.equal(prepared.exitCode, 0, prepared.stdout);
      const folder = `.brev-jobs/${jobId}`;
      const params = { name: jobId, image, command, folder, instance: instanceName, environment: open };
      value(await sdk.request('create_job', params, createdJob));
    },
    target: async (jobId) => {
      const { id, name } = await cloud.sim.instance('gpu1');
      return { jobId, instanceId: id, instanceName: name };
    },
    toEnd: async (target, by = platform) => {
      const parts: Record<JobStream, Uint8Array[]> = { log: [], status: [] };
      const sink = {
        onBytes: (stream: JobStream, _offset: number, bytes: Uint8Array) => {
          parts[stream].push(bytes);
        },
        onTruncated: () => undefined,
        onStep: () => undefined,
      };
      const ended = await by.follow(target, { log: 0, status: 0 }, sink, never);
      const log = Buffer.concat(parts.log).toString();
      if (ended.kind !== 'finished') {
        throw new Error(`${JSON.stringify(ended)}\n${log}\n${[...notes, ...cloud.log].join('\n')}`);
      }
      return { end: ended.end, log, status: Buffer.concat(parts.status).toString() };
    },
  };
}
