import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { cliEnvironment } from '../../../../src/brev/environment.ts';
import { createdJob, jobEntry, jobState } from '../../../../src/platforms/brevSdk/bridgeAnswers.ts';
import { bridgeEnvironment } from '../../../../src/platforms/brevSdk/bridgeEnvironment.ts';
import { failureOf, value } from '../../../support/outcomes.ts';
import { createSdkCloud, type SdkCloud } from './sdkCloud.ts';

const run = promisify(execFile);
const job = { image: 'ubuntu:22.04', command: 'true' };

/** What the SDK sees of instance gpu1: its row, and the answer to a script. */
const LOOK = `
import json
from tao_sdk.platforms.brev.cli import BrevCLI
cli = BrevCLI()
good = cli.exec("gpu1", "echo one", timeout=20)
bad = cli.exec("gpu1", "echo one; exit 3", timeout=20)
print(json.dumps({"row": (cli.get_instance("gpu1") or {}).get("status"), "good": [good.returncode, good.stdout], "bad": [bad.returncode, bad.stdout]}))
`;

for (const dialect of ['public', 'tao'] as const) {
  describe(`the SDK on a CLI of the ${dialect} dialect`, () => {
    let cloud: SdkCloud;
    before(async () => {
      cloud = await createSdkCloud({ dialect, timings: { deployMs: 0, buildMs: 0, sshMs: 0 } });
    });
    after(() => cloud.dispose());

    const look = async (env: Record<string, string>): Promise<unknown> => {
      const looking = run(cloud.python, ['-c', LOOK], { env });
      // the SDK hands its own stdin on, and the CLI reads that to its end
      looking.child.stdin?.end();
      return JSON.parse((await looking).stdout);
    };
    const placed = () => ({ ...cloud.places(), environment: cliEnvironment(cloud.sim.env) });

    it('sees no instance and no answer without the adapter', async () => {
      assert.deepEqual(await look(cliEnvironment(cloud.sim.env)), {
        row: null,
        // `bash` and `-c` are instances to the public CLI; to both the name belongs to the answer
        good: dialect === 'public' ? [1, 'one\ngpu1\n'] : [0, 'one\ngpu1\n'],
        // run twice, and with another exit code
        bad: [1, 'one\none\n'],
      });
    });

    it('sees both with it', async () => {
      const { environment, ...places } = placed();
      assert.deepEqual(await look(bridgeEnvironment(environment, places)), {
        row: 'RUNNING',
        good: [0, 'one\n'],
        bad: [3, 'one\n'],
      });
    });

    it('creates what was asked for, by its exact type and where it belongs', async () => {
      const before = (await cloud.sim.calls()).length;
      const bridge = cloud.bridge();
      const created = await bridge.request(
        'create_job',
        {
          name: 'new-1',
          instance: 'fresh',
          new_instance: { gpu_type: 'L40S' },
          cloud_cred_id: 'cred-aws',
          workspace_group_id: 'group-west',
          ...job,
        },
        createdJob,
      );
      value(created);
      const creates = (await cloud.sim.calls())
        .slice(before)
        .filter(({ args }) => args[0] === 'create' && args[1] !== '--help');
      const where =
        dialect === 'tao' ? ['--cloud-cred-id', 'cred-aws', '--workspace-group-id', 'group-west'] : [];
      assert.deepEqual(
        creates.map(({ args }) => args),
        [['create', 'fresh', '--type', cloud.cheapestL40S(), ...where, '--detached']],
      );
      const { details } = value(await bridge.request('get_job', { name: 'new-1' }, jobEntry));
      assert.equal(details.instance_id, 'fresh');
    });
  });
}

describe('the adapter of the SDK', () => {
  let cloud: SdkCloud;
  before(async () => {
    cloud = await createSdkCloud();
  });
  after(() => cloud.dispose());
  const subcommands = async (since: number) =>
    (await cloud.sim.calls()).slice(since).map(({ args }) => args.slice(0, 3).join(' '));

  it('runs nothing on an instance that is stopped', async () => {
    await cloud.sim.addInstance({ name: 'idle', status: 'STOPPED' });
    const before = (await cloud.sim.calls()).length;
    const outcome = await cloud
      .bridge()
      .request('create_job', { name: 'idle-1', instance: 'idle', ...job }, createdJob);
    assert.match(failureOf(outcome).sentence, /idle is STOPPED: nothing was run on it/);
    assert.ok((await subcommands(before)).every((call) => call.startsWith('ls')));
  });

  it('creates nothing that nobody asked for', async () => {
    const before = (await cloud.sim.calls()).length;
    const outcome = await cloud
      .bridge()
      .request('create_job', { name: 'gone-1', instance: 'gone', ...job }, createdJob);
    assert.match(failureOf(outcome).sentence, /gone is not in the list, and nobody asked/);
    assert.ok((await subcommands(before)).every((call) => call.startsWith('ls')));
  });

  it('launches nothing that was cancelled before', async () => {
    await cloud.sim.scenario([{ kind: 'delay', command: 'ls', ms: 300 }]);
    const bridge = cloud.bridge();
    const before = (await cloud.sim.calls()).length;
    const cancel = Promise.withResolvers<unknown>();
    const created = bridge.request(
      'create_job',
      { name: 'late-1', instance: 'gpu1', ...job },
      createdJob,
      () => cancel.resolve(bridge.request('cancel_job', { name: 'late-1' }, jobState)),
    );
    await cancel.promise;
    assert.match(failureOf(await created).sentence, /was cancelled before its launch/);
    assert.ok((await subcommands(before)).every((call) => call.startsWith('ls')));
    assert.equal(value(await bridge.request('get_job', { name: 'late-1' }, jobEntry)).status, 'Canceled');
  });
});
