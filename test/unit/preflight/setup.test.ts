import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Check, type CheckResult, notPassed, passed } from '../../../src/preflight/checks/check.ts';
import { Setup } from '../../../src/preflight/setup.ts';
import { inEnglish, message } from '../../../src/values/message.ts';
import { cancelled, failed, ok } from '../../../src/values/outcome.ts';
import { type Deferred, deferred } from '../../support/deferred.ts';
import { FakeClock, settled } from '../../support/fake-clock.ts';
import { fakeContext } from './support/context.ts';

/** A check that ends when the test says so. */
class ManualCheck implements Check {
  readonly id: string;
  readonly title = message('A check');
  readonly limitMs = 10_000;
  readonly after?: { readonly id: string; readonly otherwise: ReturnType<typeof message> };
  readonly runs: (Deferred<CheckResult> & { readonly signal: AbortSignal })[] = [];

  constructor(id: string, after?: string) {
    this.id = id;
    if (after !== undefined) {
      this.after = { id: after, otherwise: message('After {0}.', after) };
    }
  }

  run(_: unknown, signal: AbortSignal): Promise<CheckResult> {
    const run = { ...deferred<CheckResult>(), signal };
    this.runs.push(run);
    return run.promise;
  }

  /** Ends the last run. */
  end(result: CheckResult = passed(message('Good.'))): Promise<void> {
    this.runs.at(-1)?.resolve(result);
    return settled();
  }
}

const failure = notPassed('failed', message('Bad.'));

function setupOf(...checks: readonly Check[]) {
  const clock = new FakeClock();
  const logged: string[] = [];
  const setup = new Setup(fakeContext({ clock, log: (line) => logged.push(line) }), checks);
  const told: string[] = [];
  setup.onChange(({ id, running, result }) =>
    told.push(`${id} ${running ? 'running' : (result?.state ?? 'none')}`),
  );
  return { setup, clock, told, logged };
}

const states = (setup: Setup) =>
  setup.lines.map(
    ({ id, running, result }) => `${id} ${result?.state ?? 'none'}${running ? ' (running)' : ''}`,
  );

describe('Setup', () => {
  it('has a line for each check before anything ran', () => {
    const { setup, told } = setupOf(new ManualCheck('a'), new ManualCheck('b'));
    assert.deepEqual(states(setup), ['a none', 'b none']);
    assert.equal(setup.isRunning, false);
    assert.deepEqual(told, []);
  });

  it('runs independent checks together and tells results as they come', async () => {
    const [a, b] = [new ManualCheck('a'), new ManualCheck('b')];
    const { setup, told } = setupOf(a, b);
    const done = setup.run();
    await settled();
    assert.equal(setup.isRunning, true);
    await b.end(failure);
    assert.deepEqual(told, ['a running', 'b running', 'b failed']);
    await a.end();
    assert.deepEqual(
      (await done).map(({ result }) => result?.state),
      ['passed', 'failed'],
    );
    assert.equal(setup.isRunning, false);
  });

  for (const [state, goesOn] of [
    ['passed', true],
    ['warning', true],
    ['failed', false],
    ['unknown', false],
    ['skipped', false],
  ] as const) {
    it(`${goesOn ? 'goes on' : 'skips what needs it'} after a check that ${state}`, async () => {
      const [first, second, third] = [
        new ManualCheck('1'),
        new ManualCheck('2', '1'),
        new ManualCheck('3', '2'),
      ];
      const { setup } = setupOf(first, second, third);
      const done = setup.run();
      await settled();
      assert.equal(second.runs.length, 0, 'not before');
      await first.end({ state, sentence: message('.') });
      assert.equal(second.runs.length, goesOn ? 1 : 0);
      await second.end();
      await third.end();
      const [, two, three] = await done;
      assert.equal(two?.result?.state, goesOn ? 'passed' : 'skipped');
      assert.equal(three?.result?.state, goesOn ? 'passed' : 'skipped');
      if (!goesOn) {
        assert.equal(two?.result && inEnglish(two.result.sentence), 'After 1.');
      }
    });
  }

  it('gives a check only its time, and stops it then', async () => {
    const [slow, quick] = [new ManualCheck('slow'), new ManualCheck('quick')];
    const { setup, clock } = setupOf(slow, quick);
    const done = setup.run();
    await settled();
    await quick.end();
    await clock.advance(9_999);
    assert.deepEqual(states(setup), ['slow none (running)', 'quick passed']);
    await clock.advance(1);
    const [line] = await done;
    assert.equal(line?.result?.state, 'unknown');
    assert.equal(line?.result && inEnglish(line.result.sentence), 'There was no answer within 10 seconds.');
    assert.equal(slow.runs[0]?.signal.aborted, true);
    assert.equal(clock.waiting, 0, 'no timer is left');
    await slow.end(failure);
    assert.deepEqual(states(setup), ['slow unknown', 'quick passed'], 'a late answer counts for nothing');
  });

  it('shows a check that broke as unknown, and logs why', async () => {
    const broken = new ManualCheck('broken');
    const { setup, logged } = setupOf(broken);
    const done = setup.run();
    await settled();
    broken.runs[0]?.reject(new Error('no such luck'));
    const [line] = await done;
    assert.equal(line?.result?.state, 'unknown');
    assert.equal(line?.result && inEnglish(line.result.sentence), 'This could not be checked: no such luck');
    assert.deepEqual(logged, ['check broken: no such luck']);
  });

  it('never runs twice at once: requests during a run make one more after it', async () => {
    const check = new ManualCheck('a');
    const { setup } = setupOf(check);
    const first = setup.run();
    await settled();
    const later = [setup.run(), setup.run(), setup.run()];
    await settled();
    assert.equal(check.runs.length, 1);
    await check.end(failure);
    assert.equal((await first)[0]?.result?.state, 'failed');
    await settled();
    assert.equal(check.runs.length, 2);
    await check.end();
    for (const lines of await Promise.all(later)) {
      assert.equal(lines[0]?.result?.state, 'passed');
    }
    assert.equal(check.runs.length, 2);
  });

  it('keeps the last result while a check runs again', async () => {
    const check = new ManualCheck('a');
    const { setup } = setupOf(check);
    void setup.run();
    await settled();
    await check.end();
    void setup.run();
    await settled();
    assert.deepEqual(states(setup), ['a passed (running)']);
    await check.end();
  });

  it('can be cancelled: unfinished lines say what they said before, and nothing goes on', async () => {
    const [a, b, c] = [new ManualCheck('a'), new ManualCheck('b'), new ManualCheck('c', 'b')];
    const { setup, clock } = setupOf(a, b, c);
    const done = setup.run();
    await settled();
    await a.end();
    const queued = setup.run();
    setup.cancel();
    await Promise.all([done, queued]);
    assert.deepEqual(states(setup), ['a passed', 'b none', 'c none']);
    assert.equal(b.runs[0]?.signal.aborted, true);
    assert.deepEqual([a.runs.length, c.runs.length, clock.waiting], [1, 0, 0]);
    assert.equal(setup.isRunning, false);

    const again = setup.run();
    await settled();
    assert.equal(a.runs.length, 2, 'it can be run again');
    await a.end();
    await b.end();
    await c.end();
    await again;
    assert.deepEqual(states(setup), ['a passed', 'b passed', 'c passed']);
  });

  for (const [what, outcome, runsAgain] of [
    ['a fix', ok(undefined), true],
    ['a fix that failed', failed({ kind: 'localFile', message: message('No.'), retrySafe: true }), true],
    ['a fix that the user declined', cancelled, false],
  ] as const) {
    it(`${runsAgain ? 'checks all again' : 'checks nothing'} after ${what}`, async () => {
      const [a, b] = [new ManualCheck('a'), new ManualCheck('b')];
      const { setup } = setupOf(a, b);
      const fixing = setup.fix(async () => outcome);
      await settled();
      assert.deepEqual([a.runs.length, b.runs.length], runsAgain ? [1, 1] : [0, 0]);
      await a.end();
      await b.end();
      assert.equal(await fixing, outcome);
    });
  }

  it('is quiet once it is disposed', async () => {
    const check = new ManualCheck('a');
    const { setup, told } = setupOf(check);
    const done = setup.run();
    await settled();
    setup.dispose();
    await done;
    told.length = 0;
    await setup.run();
    assert.equal(check.runs.length, 1);
    assert.deepEqual(told, []);
  });
});
