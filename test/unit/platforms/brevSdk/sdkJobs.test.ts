import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createdJob, jobLog, jobState } from '../../../../src/platforms/brevSdk/bridgeAnswers.ts';
import type { JobTarget } from '../../../../src/platforms/platform.ts';
import { eventually } from '../../../support/eventually.ts';
import { value } from '../../../support/outcomes.ts';
import { signal } from '../../../support/process-tree.ts';
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
    /** Until it is terminal: what the SDK can't see it calls Running. */
    const statusOf = async (jobId: string, sdk = cloud.sdk): Promise<string> => {
      let status = '';
      await eventually(async () => {
        status = value(await sdk.request('get_job_status', { name: jobId }, jobState)).status;
        return status !== 'Running';
      });
      return status;
    };

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
      const results = `${(await cloud.sim.instance('gpu1')).home}/.brev-jobs/${target.jobId}/results`;
      const written = async (): Promise<string> => {
        const files = await readdir(results, { recursive: true }).catch(() => []);
        const file = files.find((each) => each.endsWith('status.json'));
        return file === undefined ? '' : readFile(path.join(results, file), 'utf8');
      };
      await eventually(async () => (await written()).includes('Training Loop'));
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
      assert.equal(status, await written());
      assert.equal(await statusOf(target.jobId, later), 'Canceled');
    });
  });
}

describe('jobs of the real SDK', { concurrency: true }, () => {
  let cloud: PlatformCloud;
  before(async () => {
    cloud = await createPlatformCloud();
  });
  after(() => cloud.dispose());

  it('run once when the connection of their launch is lost and the CLI runs it again', async () => {
    const target = await cloud.target('plain-run-aaaaaa');
    // the second exec launches
    await cloud.sim.scenario([{ kind: 'drop', command: 'exec', nth: 2, afterBytes: 10 }]);
    await cloud.launch(target, NO_SECRETS, 'echo once');
    const execs = (await cloud.sim.calls()).filter(({ args }) => args[0] === 'exec');
    assert.equal(execs.length, 2);
    const { end, log } = await cloud.toEnd(target);
    assert.deepEqual({ step: end.step, exitCode: end.exitCode }, { step: 'run', exitCode: 0 }, log);
    assert.equal(log.match(/^once$/gm)?.length, 1, log);
  });
});

it('a job of the real SDK that went down with its instance is interrupted, without a guess', async (t) => {
  const cloud = await createPlatformCloud();
  t.after(() => cloud.dispose());
  const target = await cloud.target('plain-run-bbbbbb');
  await cloud.launch(target, NO_SECRETS, 'sleep 600');
  for (const pid of await cloud.sim.remoteProcesses('gpu1')) {
    signal(pid, 'SIGKILL');
  }
  const folder = `${(await cloud.sim.instance('gpu1')).home}/.brev-jobs/${target.jobId}`;
  await writeFile(`${folder}/boot`, 'an earlier one\n');
  const { end } = await cloud.toEnd(target);
  assert.deepEqual({ step: end.step, exitCode: end.exitCode }, { step: 'interrupted', exitCode: undefined });
});

describe('an image that can’t be had', { concurrency: true }, () => {
  let cloud: PlatformCloud;
  before(async () => {
    cloud = await createPlatformCloud({ machineSpeed: 1 });
  });
  after(() => cloud.dispose());
  const submit = async (jobId: string, image: string): Promise<JobTarget> => {
    const target = await cloud.target(jobId);
    const [work, onStep] = [specWork(SPEC, image), () => undefined];
    value(await cloud.platform.submit({ target, work, secrets: NO_SECRETS, onStep, signal: never }));
    return target;
  };

  it('ends the job with docker’s words', async () => {
    const { end } = await cloud.toEnd(
      await submit('segformer-train-eeeeee', 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt'),
    );
    assert.equal(end.step, 'pull');
    assert.match(end.error, /^docker: .*unauthorized/);
  });

  it('can be given up while it is pulled', async () => {
    const { machine } = await cloud.sim.instance('gpu1');
    await writeFile(`${machine}/docker-faults.json`, '{"pull": {"match": "slow", "seconds": 600}}');
    const target = await submit('segformer-train-ffffff', 'me/slow-tao-toolkit:1');
    value(await cloud.platform.cancel(target, never));
    assert.equal((await cloud.toEnd(target)).end.step, 'cancel');
    const state = await cloud.sdk.request('get_job_status', { name: target.jobId }, jobState);
    assert.equal(value(state).status, 'Canceled');
  });
});
