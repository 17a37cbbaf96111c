import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { followToEnd } from '../../../../src/jobs/follow.ts';
import { LocalLog } from '../../../../src/jobs/localLog.ts';
import { readLeptonAccount } from '../../../../src/platforms/lepton/account.ts';
import { LeptonPlatform, type LeptonTimings } from '../../../../src/platforms/lepton/leptonPlatform.ts';
import type { LeptonPlacement } from '../../../../src/platforms/lepton/placement.ts';
import type { FollowEnd, JobEnd, JobTarget, Platform } from '../../../../src/platforms/platform.ts';
import { type Clock, systemClock } from '../../../../src/process/clock.ts';
import type { JobWork } from '../../../../src/tao/runSpec.ts';
import { type LeptonSim, type LeptonSimOptions, startLeptonSim } from '../../../lepton-sim/sim.ts';

export const never = new AbortController().signal;
export const noSecrets = { environment: new Map<string, string>(), ngcKey: undefined };

/** The system's clock, a hundred times faster. */
export const fastClock: Clock = {
  now: () => systemClock.now(),
  after: (ms, callback) => systemClock.after(ms / 100, callback),
};

export interface World {
  readonly sim: LeptonSim;
  readonly platform: LeptonPlatform;
  readonly folder: string;
  target(jobId: string): JobTarget;
  submit(
    jobId: string,
    command: string,
    more?: Partial<Parameters<Platform['submit']>[0]>,
  ): ReturnType<Platform['submit']>;
  /** Follows over as many connections as it takes; its log is in the folder. */
  follow(jobId: string, signal?: AbortSignal): Promise<Followed>;
  /** One connection's worth. */
  followOnce(jobId: string): Promise<FollowEnd>;
}

export interface Followed {
  readonly end: JobEnd | undefined;
  readonly steps: readonly string[];
  readonly truncations: number;
  readonly reasons: readonly string[];
}

export const small: LeptonPlacement = { resourceShape: 'cpu.small', nodes: 1, image: 'alpine' };

/** A simulated workspace and our platform in it, gone after the test. */
export async function world(
  test: TestContext,
  options: LeptonSimOptions & { timings?: Partial<LeptonTimings>; fetch?: typeof fetch } = {},
): Promise<World> {
  const sim = await startLeptonSim(options);
  const folder = await mkdtemp(path.join(tmpdir(), 'lepton-test-'));
  test.after(async () => {
    await sim.dispose();
    await rm(folder, { recursive: true, force: true });
  });
  const platform = new LeptonPlatform({
    clock: fastClock,
    account: async () =>
      readLeptonAccount({
        LEPTON_WORKSPACE_ID: sim.workspaceId,
        LEPTON_WORKSPACE_TOKEN: sim.token,
        LEPTON_WORKSPACE_URL: sim.url,
      }),
    cursorFile: (jobId) => path.join(folder, `${jobId}.cursor`),
    timings: { pollMs: 1_000, ...options.timings },
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
  const target = (jobId: string): JobTarget => ({
    jobId,
    instanceId: sim.workspaceId,
    instanceName: 'Lepton',
  });
  return {
    sim,
    platform,
    folder,
    target,
    submit: (jobId, command, more = {}) => {
      const work: JobWork = { kind: 'command', command };
      return platform.submit({
        target: target(jobId),
        work,
        secrets: noSecrets,
        placement: small,
        onStep: () => undefined,
        signal: never,
        ...more,
      });
    },
    follow: (jobId, signal = never) => followed(platform, target(jobId), folder, signal),
    followOnce: (jobId) =>
      platform.follow(
        target(jobId),
        { log: 0, status: 0 },
        { onBytes: () => undefined, onTruncated: () => undefined, onStep: () => undefined },
        never,
      ),
  };
}

export function logFile(folder: string, jobId: string): string {
  return path.join(folder, `${jobId}.log`);
}

async function followed(
  platform: LeptonPlatform,
  target: JobTarget,
  folder: string,
  signal: AbortSignal,
): Promise<Followed> {
  const logs = {
    log: new LocalLog(logFile(folder, target.jobId)),
    status: new LocalLog(logFile(folder, `${target.jobId}.status`)),
  };
  const steps: string[] = [];
  const reasons: string[] = [];
  let truncations = 0;
  try {
    const end = await followToEnd({
      platform,
      target,
      logs,
      clock: fastClock,
      random: () => 1,
      signal,
      onProgress: (progress) => {
        switch (progress.kind) {
          case 'step':
            if (steps.at(-1) !== progress.step) steps.push(progress.step);
            break;
          case 'reconnecting':
            reasons.push(progress.reason);
            break;
          case 'truncated':
            truncations++;
            break;
          case 'bytes':
            break;
        }
      },
    });
    return { end, steps, truncations, reasons };
  } finally {
    logs.log.close();
    logs.status.close();
  }
}
