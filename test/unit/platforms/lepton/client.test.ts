import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { leptonOffers } from '../../../../src/platforms/lepton/capacity.ts';
import { LeptonClient } from '../../../../src/platforms/lepton/client.ts';
import { type Fault, type LeptonSim, startLeptonSim } from '../../../lepton-sim/sim.ts';
import { failureOf, value } from '../../../support/outcomes.ts';
import { never } from './support.ts';

async function opened(
  t: TestContext,
  fault?: Fault['what'],
  timeoutMs = 30_000,
): Promise<{ sim: LeptonSim; client: LeptonClient }> {
  const sim = await startLeptonSim();
  t.after(() => sim.dispose());
  if (fault !== undefined) sim.fail({ on: /./, what: fault });
  const { url, workspaceId, token } = sim;
  return {
    sim,
    client: new LeptonClient({ account: { url, workspaceId, token }, fetch: globalThis.fetch, timeoutMs }),
  };
}

describe('the client of Lepton', () => {
  for (const [status, kind] of [
    [401, 'tokenStale'],
    [403, 'forbidden'],
    [404, 'jobLost'],
    [418, 'unexpected'],
    [429, 'serverError'],
    [503, 'serverError'],
  ] as const) {
    it(`tells HTTP ${status} as ${kind}, without the token`, async (t) => {
      const { sim } = await opened(t);
      const body = `no: Bearer ${sim.token}`;
      const { client } = await opened(t, { kind: 'status', status, body });
      const failure = failureOf(await client.nodeGroups(never));
      assert.equal(failure.kind, kind);
      assert.match(failure.detail ?? '', /Bearer \*\*\*/);
      assert.doesNotMatch(inspect(failure, { depth: 9 }), /lepton-token/);
    });
  }

  for (const what of [{ kind: 'invalidJson' }, { kind: 'status', status: 200, body: '{"x": 1}' }] as const) {
    it(`does not take ${what.kind} for an empty list`, async (t) => {
      const { client } = await opened(t, what);
      assert.equal(failureOf(await client.nodeGroups(never)).kind, 'unreadableAnswer');
      assert.equal(failureOf(await client.jobsNamed('x', never)).kind, 'unreadableAnswer');
      assert.equal(failureOf(await client.job('x', never)).kind, 'unreadableAnswer');
    });
  }

  it('tells that nobody answers', async (t) => {
    const { client } = await opened(t, { kind: 'reset' });
    assert.equal(failureOf(await client.probe(never)).kind, 'offline');
  });

  it('waits no longer than its limit, for answers and for streams', async (t) => {
    const { client } = await opened(t, { kind: 'hang' }, 50);
    assert.equal(failureOf(await client.probe(never)).kind, 'timedOut');
    assert.equal(failureOf(await client.logStream('a', 'b', never)).kind, 'timedOut');
  });

  it('ends when it is cancelled', async (t) => {
    const { client } = await opened(t, { kind: 'hang' });
    const abort = new AbortController();
    const call = client.probe(abort.signal);
    abort.abort();
    assert.deepEqual(await call, { kind: 'cancelled' });
  });

  it('carries the token to no other host', async (t) => {
    const other = await opened(t);
    const { client } = await opened(t, { kind: 'redirect', to: other.sim.url });
    assert.equal(failureOf(await client.probe(never)).kind, 'unexpected');
    assert.deepEqual(other.sim.calls, []);
  });

  it('reads lists with null, unreadable rows and several pages', async (t) => {
    const { client } = await opened(t, { kind: 'status', status: 200, body: 'null' });
    assert.deepEqual(value(await client.nodeGroups(never)), []);
    const odd = [{ metadata: { id: 'a' } }, { metadata: 5 }, 7];
    const rows = await opened(t, { kind: 'status', status: 200, body: JSON.stringify(odd) });
    assert.deepEqual(value(await rows.client.nodeGroups(never)), ['a']);
    // the same page again and again
    const jobs = [{ metadata: { id: 'x-1', name: 'x' } }, { metadata: { id: 'xx-1', name: 'xx' } }];
    const same = await opened(t, { kind: 'status', status: 200, body: JSON.stringify({ jobs }) });
    assert.deepEqual(
      value(await same.client.jobsNamed('x', never)).map(({ id }) => id),
      ['x-1'],
    );
    assert.equal(same.sim.calls.length, 2);
  });

  it('keeps a secret, and lists what there is', async (t) => {
    const { sim, client } = await opened(t);
    value(await client.createSecret('HF_TOKEN', 'hf-value', never));
    assert.deepEqual(value(await client.secretNames(never)), ['HF_TOKEN']);
    assert.equal(sim.secrets.get('HF_TOKEN'), 'hf-value');
    assert.deepEqual(
      value(await client.shapes('h100-ng', never)).map(({ id }) => id),
      ['gpu.8xh100-80gb'],
    );
    assert.deepEqual(
      value(await leptonOffers(client, never)).map(({ nodeGroup, nodes, shape }) => [
        shape.id,
        nodeGroup,
        nodes,
      ]),
      [
        // one of the two nodes is in use in part
        ['gpu.8xh100-80gb', 'h100-ng', { all: 2, free: 1 }],
        ['cpu.small', 'cpu-ng', { all: 1, free: undefined }],
      ],
    );
  });
});
