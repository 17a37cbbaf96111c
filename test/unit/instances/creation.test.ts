import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { CreateRequest } from '../../../src/brev/create.ts';
import { type Creation, createInstance } from '../../../src/instances/creation.ts';
import { InstanceStore } from '../../../src/instances/store.ts';
import type { RunOptions, RunResult } from '../../../src/process/run.ts';
import { inEnglish } from '../../../src/values/message.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { failing, LOGGED_OUT, listed, printed, RecordedCli, row } from '../brev/recordedCli.ts';

const REQUEST: CreateRequest = { name: 'new', types: [{ type: 'g5.xlarge', gpu: undefined }] };
const OFFLINE = failing('Get "https://x": dial tcp: connect: connection refused\n');
const MADE = row('new', { status: 'DEPLOYING', build_status: 'PENDING' });
const OTHER = row('other');

/** A cloud whose lists are given one by one (the last one again and again), and whose create does as it is told. */
function cloud(
  t: TestContext,
  lists: readonly RunResult[],
  create: (options: RunOptions) => RunResult | Promise<RunResult>,
) {
  const clock = new FakeClock();
  const left = [...lists];
  const cli = new RecordedCli((args, options) => {
    switch (args[0]) {
      case 'ls':
        return (left.length > 1 ? left.shift() : left[0]) ?? listed();
      case 'create':
        return create(options);
      default:
        throw new Error(`not expected: ${args.join(' ')}`);
    }
  });
  const store = new InstanceStore({
    brev: cli.brev,
    clock,
    intervals: () => ({ steadyMs: 1_000, transitionMs: 1_000 }),
  });
  t.after(() => store.dispose());
  return {
    cli,
    creates: () => cli.count('create'),
    async run(signal = new AbortController().signal, request = REQUEST): Promise<Creation> {
      const creating = createInstance(cli.brev, store, request, undefined, signal, clock);
      await clock.advance(60_000);
      return creating;
    },
  };
}

const because = (creation: Creation): string => {
  assert.ok(creation.kind !== 'created', 'created');
  return creation.because === 'cancelled' ? 'cancelled' : creation.because.kind;
};

describe('a create', () => {
  it('that is accepted gives what the list shows, not what the exit code says', async (t) => {
    const its = cloud(t, [listed(OTHER), listed(OTHER, MADE)], () => printed('new\n'));
    const creation = await its.run();
    assert.ok(creation.kind === 'created');
    assert.equal(creation.instance.id, 'id-new');
    assert.equal(creation.instance.status, 'deploying');
    assert.deepEqual(
      its.cli.calls.filter(([command]) => command === 'create'),
      [['create', 'new', '--type', 'g5.xlarge', '--detached']],
    );
  });

  it('that fails and yet created is told as that', async (t) => {
    const its = cloud(t, [listed(), listed(MADE)], () =>
      failing('[Worker 1] g5 Failed: Post "https://x": unexpected EOF\n\ncould only create 0/1 instances\n'),
    );
    const creation = await its.run();
    assert.ok(creation.kind === 'createdAnyway');
    assert.equal(creation.instance.name, 'new');
    assert.equal(because(creation), 'createOutcomeUnknown');
  });

  it('that is cancelled and yet created is told as that', async (t) => {
    const abort = new AbortController();
    const its = cloud(t, [listed(), listed(MADE)], () => {
      abort.abort();
      return { kind: 'cancelled' };
    });
    const creation = await its.run(abort.signal);
    assert.equal(creation.kind, 'createdAnyway');
    assert.equal(because(creation), 'cancelled');
  });

  it('that was cut off is found although it shows late in the list', async (t) => {
    for (const result of [
      { kind: 'cancelled' },
      failing('unexpected EOF\n'),
      { kind: 'timedOut', timeoutMs: 1, stdout: '', stderr: '', truncated: false },
      failing('[Worker 1] g5 Failed: 502 Bad Gateway\n\ncould only create 0/1 instances\n'),
    ] satisfies RunResult[]) {
      const its = cloud(t, [listed(), listed(), listed(), listed(MADE)], () => result);
      assert.equal((await its.run()).kind, 'createdAnyway', JSON.stringify(result));
    }
  });

  it('that was refused is not looked for again and again', async (t) => {
    const its = cloud(t, [listed(OTHER)], () =>
      failing(
        'instance type "g5.xlarge" is currently unavailable (no capacity)\ncould only create 0/1 instances\n',
      ),
    );
    const creation = await its.run();
    assert.equal(creation.kind, 'notCreated');
    assert.equal(because(creation), 'noCapacity');
    assert.equal(its.cli.count('ls', '--json'), 2);
  });

  it('after which nothing can be listed is unknown, and must not be repeated', async (t) => {
    for (const result of [printed('new\n'), failing('unexpected EOF\n'), { kind: 'cancelled' } as const]) {
      const its = cloud(t, [listed(), OFFLINE], () => result);
      const creation = await its.run();
      assert.ok(creation.kind === 'unknown');
      assert.equal(creation.because.kind, 'createOutcomeUnknown');
      assert.equal(creation.because.retrySafe, false);
      assert.match(inEnglish(creation.because.message), /new.*may be billing/);
    }
  });

  it('that was accepted but shows nowhere is unknown', async (t) => {
    const its = cloud(t, [listed()], () => printed('new\n'));
    assert.equal((await its.run()).kind, 'unknown');
  });

  it('is not asked for when the name is taken, or its bearer is still being deleted', async (t) => {
    for (const [status, kind] of [
      ['RUNNING', 'nameTaken'],
      ['STOPPED', 'nameTaken'],
      ['DELETING', 'nameBeingDeleted'],
    ] as const) {
      const its = cloud(t, [listed(row('new', { status }))], () => printed('new\n'));
      const creation = await its.run();
      assert.equal(creation.kind, 'notCreated');
      assert.equal(because(creation), kind);
      assert.equal(its.creates(), 0);
    }
  });

  it('that finds the name taken did not create whatever has it', async (t) => {
    const taken = failing(
      "Error: workspace 'new' already exists. Use a different name or delete the existing workspace\n",
    );
    const its = cloud(t, [listed(), listed(MADE)], () => taken);
    const creation = await its.run();
    assert.equal(creation.kind, 'notCreated');
    assert.equal(because(creation), 'nameTaken');
    const deleting = cloud(t, [listed(), listed(row('new', { status: 'DELETING' }))], () => taken);
    assert.equal(because(await deleting.run()), 'nameBeingDeleted');
    const hidden = cloud(t, [listed()], () => taken);
    assert.equal(because(await hidden.run()), 'nameTaken');
  });

  it('is not asked for without a list, a sign-in, a name or when it is called off in time', async (t) => {
    for (const [first, signal, request, kind] of [
      [OFFLINE, new AbortController().signal, REQUEST, 'offline'],
      [LOGGED_OUT, new AbortController().signal, REQUEST, 'signedOut'],
      [listed(), AbortSignal.abort(), REQUEST, 'cancelled'],
      [listed(), new AbortController().signal, { ...REQUEST, name: '--all' }, 'unusableName'],
      [
        listed(),
        new AbortController().signal,
        { ...REQUEST, types: [{ type: '', gpu: undefined }] },
        'unknownType',
      ],
    ] as const) {
      const its = cloud(t, [first], () => printed('new\n'));
      const creation = await its.run(signal, { name: request.name, types: [request.types[0]] });
      assert.equal(creation.kind, 'notCreated');
      assert.equal(because(creation), kind);
      assert.equal(its.creates(), 0);
    }
  });

  it('takes a second instance of that name for the new one, and not the first', async (t) => {
    const elsewhere = row('new', { id: 'id-elsewhere', status: 'STOPPED' });
    const its = cloud(t, [listed(OTHER), listed(OTHER, MADE, elsewhere)], () => printed('new\n'));
    const creation = await its.run();
    assert.ok(creation.kind === 'created');
    assert.equal(creation.instance.id, 'id-new');
  });
});
