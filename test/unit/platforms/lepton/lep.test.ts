// The simulated workspace is held to what the real client expects.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type LeptonSim, startLeptonSim } from '../../../lepton-sim/sim.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Lep, openLep } from '../../../support/lep.ts';

describe('the real lep and the simulated workspace', () => {
  let sim: LeptonSim;
  let lep: Lep;

  before(async () => {
    sim = await startLeptonSim();
    lep = await openLep(sim);
  });
  after(async () => {
    await lep.dispose();
    await sim.dispose();
  });

  const created = async (name: string, command: string, more: object = {}): Promise<string> => {
    const file = await lep.write(
      `${name}.json`,
      JSON.stringify({
        resource_shape: 'cpu.small',
        container: { image: 'alpine', command: ['/bin/bash', '-c', command] },
        ...more,
      }),
    );
    const { exitCode, output } = await lep.run('job', 'create', '-n', name, '--file', file);
    assert.equal(exitCode, 0, output);
    const [, id] = /^ *ID: (\S+)/m.exec(output) ?? [];
    assert.ok(id !== undefined, output);
    return id;
  };
  const stateOf = (id: string): string | undefined => sim.jobs().find((job) => job.id === id)?.state;

  it('creates a job from a file, with secrets by reference, and reads its state and log', async () => {
    sim.secrets.set('HF', 'hf-value');
    const id = await created('from-file', 'echo "token of $(expr length "$HF_TOKEN") letters"', {
      envs: [{ name: 'HF_TOKEN', value_from: { secret_name_ref: 'HF' } }],
    });
    assert.match(id, /^from-file-\w{4}$/);
    await eventually(() => stateOf(id) === 'Completed');
    const [got, listed, log, stored, replicas, events] = await Promise.all([
      lep.run('job', 'get', '-i', id),
      lep.run('job', 'list'),
      lep.run('job', 'log', '-i', id),
      lep.run('log', 'get', '-j', id),
      lep.run('job', 'replicas', '-i', id),
      lep.run('job', 'events', '-i', id),
    ]);
    assert.match(got.output, /"state": "Completed"/);
    assert.match(listed.output, new RegExp(id));
    assert.match(log.output, /token of 8 letters/);
    assert.match(stored.output, /token of 8 letters/);
    assert.match(replicas.output, new RegExp(`${id}-0-`));
    assert.match(events.output, /Completed/);
    for (const { exitCode } of [got, listed, log, stored, replicas, events]) assert.equal(exitCode, 0);
  });

  it('runs a job on several nodes', async () => {
    const { exitCode, output } = await lep.run(
      ...[
        'job',
        'create',
        '-n',
        'two-nodes',
        '--resource-shape',
        'gpu.8xh100-80gb',
        '--node-group',
        'h100-ng',
      ],
      ...[
        '--container-image',
        'alpine',
        '--num-workers',
        '2',
        '--command',
        'echo rank $LEPTON_JOB_WORKER_INDEX',
      ],
    );
    assert.equal(exitCode, 0, output);
    const job = sim.jobs().find(({ name }) => name === 'two-nodes');
    await eventually(() => job?.state === 'Completed');
    assert.deepEqual(job?.replicas.map((replica) => String(replica.output)).sort(), ['rank 0\n', 'rank 1\n']);
  });

  it('stops and removes a job', async () => {
    const id = await created('to-stop', 'sleep 600');
    await eventually(() => stateOf(id) === 'Running');
    assert.match((await lep.run('job', 'stop', '-i', id)).output, /stopped successfully/);
    await eventually(() => stateOf(id) === 'Stopped');
    assert.match((await lep.run('job', 'stop', '-i', id)).output, /already .*Stopped/);
    assert.match((await lep.run('job', 'remove', '-i', id)).output, /deleted successfully/);
    assert.equal(stateOf(id), undefined);
    const gone = await lep.run('job', 'get', '-i', id);
    assert.match(gone.output, /404 Not Found/);
    assert.equal(gone.exitCode, 1);
  });

  it('lists nodes, shapes and secrets, and is refused without a token', async () => {
    const stranger = await openLep({ ...sim, token: 'another' });
    const [groups, nodes, shapes, secret, refused] = await Promise.all([
      lep.run('node', 'list'),
      lep.run('node', 'list-nodes', '-ng', 'h100-ng'),
      lep.run('node', 'resource-shape'),
      lep.run('secret', 'create', '-n', 'NEW', '-v', 'value'),
      stranger.run('job', 'list'),
    ]);
    await stranger.dispose();
    assert.match(groups.output, /h100-ng/);
    assert.match(nodes.output, /node-1/);
    assert.match(shapes.output, /gpu\.8xh100-80gb/);
    assert.match(secret.output, /created successfully/);
    assert.equal(sim.secrets.get('NEW'), 'value');
    assert.match(refused.output, /401 Unauthorized/);
  });
});
