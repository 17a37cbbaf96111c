import assert from 'node:assert/strict';
import { LeptonClient } from '../../../src/platforms/lepton/client.ts';
import { openLep } from '../../support/lep.ts';
import { value } from '../../support/outcomes.ts';
import type { CloudWorld } from './cloudWorld.ts';

const BY_LEP = 'by-lep';

/**
 * NVIDIA's own client looks at the workspace after a plan of five steps: its train is an ordinary job there. And what it
 * submits itself our client sees, as nobody's job of ours.
 */
export async function seenByLep({ lepton }: CloudWorld): Promise<void> {
  const [job] = lepton.jobs();
  assert.ok(job !== undefined);
  const lep = await openLep(lepton);
  try {
    const [listed, got, replicas, stored, log] = [
      await lep.run('job', 'list'),
      await lep.run('job', 'get', '-i', job.id),
      await lep.run('job', 'replicas', '-i', job.id),
      await lep.run('log', 'get', '-j', job.id),
      await lep.run('job', 'log', '-i', job.id),
    ];
    for (const { exitCode, output } of [listed, got, replicas, stored, log])
      assert.equal(exitCode, 0, output);
    assert.match(listed.output, new RegExp(`${job.name}.*Completed`, 's'));
    for (const said of [
      /"name": "train-/,
      /"resource_shape": "gpu\.8xh100-80gb"/,
      /"completions": 2/,
      /"state": "Completed"/,
      /"secret_name_ref": "AWS_SECRET_ACCESS_KEY"/,
    ]) {
      assert.match(got.output, said);
    }
    for (const node of [0, 1]) {
      assert.match(replicas.output, new RegExp(`${job.id}-${node}-`));
      assert.match(stored.output, new RegExp(`node ${node} of 2`));
    }
    assert.match(log.output, /node \d of 2/);

    const spec = { resource_shape: 'cpu.small', container: { image: 'alpine', command: ['true'] } };
    const file = await lep.write('spec.json', JSON.stringify(spec));
    const created = await lep.run('job', 'create', '-n', BY_LEP, '--file', file);
    const [, id] = /^ *ID: (\S+)/m.exec(created.output) ?? [];
    const client = new LeptonClient({ account: lepton, fetch: globalThis.fetch, timeoutMs: 10_000 });
    const seen = value(await client.jobsNamed(BY_LEP, new AbortController().signal));
    assert.deepEqual(
      seen.map(({ id: each, nodes, ourId }) => ({ id: each, nodes, ourId })),
      [{ id, nodes: 1, ourId: undefined }],
      created.output,
    );
  } finally {
    await lep.dispose();
  }
}
