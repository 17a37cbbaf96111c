import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { createdJob, jobLog, jobStatus } from '../../../../src/platforms/brevSdk/bridgeAnswers.ts';
import type { JobTarget } from '../../../../src/platforms/platform.ts';
import { value } from '../../../support/outcomes.ts';
import {
  createPlatformCloud,
  NO_SECRETS,
  never,
  type PlatformCloud,
  SPEC,
  specWork,
} from './platformCloud.ts';

for (const dialect of ['public', 'tao'] as const) {
  describe(`jobs of the real SDK over the ${dialect} dialect`, { concurrency: true }, () => {
    let cloud: PlatformCloud;
    before(async () => {
      cloud = await createPlatformCloud({ dialect });
    });
    after(() => cloud.dispose());

    const submit = async (jobId: string, spec = SPEC): Promise<JobTarget> => {
      const target = await cloud.target(jobId);
      value(
        await cloud.platform.submit({
          target,
          work: specWork(spec),
          secrets: NO_SECRETS,
          onStep: () => undefined,
          signal: never,
        }),
      );
      return target;
    };
    const statusOf = async (jobId: string, sdk = cloud.sdk): Promise<string> =>
      value(await sdk.request('get_job_status', { name: jobId }, jobStatus)).status;

    it('run to their end, with log and results, also for a bridge that starts later', async () => {
      const target = await submit('segformer-train-aaaaaa');
      const { end, log } = await cloud.toEnd(target);
      assert.deepEqual(end, { exitCode: 0, step: 'run', outOfMemory: false, error: '' }, log);
      assert.match(log, /INFO Running: segformer train -e /);
      assert.match(log, /INFO Job complete\.\n$/);
      const { files } = value(await cloud.platform.results(target, never));
      assert.ok(
        files.some(({ path }) => path.endsWith('/spec.yaml')),
        JSON.stringify(files),
      );
      const later = cloud.bridge();
      assert.equal(await statusOf(target.jobId, later), 'Complete');
      const { log: fromSdk } = value(await later.request('get_job_logs', { name: target.jobId }, jobLog));
      // Python's text mode makes lines of a progress bar's returns
      assert.equal(fromSdk, log.replaceAll(/\r\n?/g, '\n'));
    });

    it('fail with their exit code', async () => {
      const target = await submit('segformer-train-bbbbbb', `${SPEC}sim_unknown: 1\n`);
      const { end, log } = await cloud.toEnd(target);
      assert.deepEqual({ step: end.step, exitCode: end.exitCode }, { step: 'run', exitCode: 1 }, log);
      assert.equal(await statusOf(target.jobId), 'Error');
    });

    it('are cancelled while another bridge launched them, and are not launched twice', async () => {
      const target = await submit('segformer-train-cccccc', SPEC.replace('sim:', 'sim:\n  scenario: hang'));
      // where the SDK's runner has TAO put it; the simulated container doesn't share that path with a real Python
      const results = `${(await cloud.sim.instance('gpu1')).home}/.brev-jobs/${target.jobId}/results/x/results_dir/train`;
      await mkdir(results, { recursive: true });
      await writeFile(`${results}/status.json`, '{"status": "RUNNING"}\n');
      const following = cloud.toEnd(target);
      const later = cloud.bridge();
      const again = await later.request(
        'create_job',
        {
          name: target.jobId,
          image: 'x',
          command: 'true',
          instance: 'gpu1',
          folder: `.brev-jobs/${target.jobId}`,
        },
        createdJob,
      );
      assert.equal(value(again).known, true);
      value(await cloud.anotherPlatform(later).cancel(target, never));
      const { end, status } = await following;
      assert.equal(end.step, 'cancel');
      assert.equal(status, '{"status": "RUNNING"}\n');
      assert.equal(await statusOf(target.jobId, later), 'Canceled');
    });
  });
}
