import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LaunchCheck, mayLaunch } from '../../../../src/preflight/launch/launchCheck.ts';
import { runLaunchChecks } from '../../../../src/preflight/launch/runLaunchChecks.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { okValue } from '../support/outcomes.ts';
import { factShell, launch, turns, wordsOf } from './support/launch.ts';

const never = new AbortController().signal;
const forever = new Promise<never>(() => undefined);

describe('runLaunchChecks', () => {
  it('keeps the order of the list, and tells lines as they are known', async () => {
    const told: string[] = [];
    const onLines = (lines: readonly LaunchCheck[]): void => {
      told.push(...lines.map(({ id }) => id));
    };
    const spec = 'a: /data/x\nresults_dir: /results';
    const checks = okValue(await runLaunchChecks(launch({ spec }), never, onLines));
    const ids = checks.map(({ id }) => id);
    assert.deepEqual(ids, [
      'signedIn',
      'instanceOn',
      'spec',
      'instanceAnswers',
      'docker',
      'gpus',
      'machineSize',
      'disk',
      'input:/data/x',
      'output:/results',
    ]);
    assert.deepEqual(new Set(told), new Set(ids));
    assert.ok(told.indexOf('instanceOn') < told.indexOf('docker'));
  });

  it('refuses the launch for a failed line, not for a warning', async () => {
    const may = async (spec: string): Promise<boolean> =>
      mayLaunch(okValue(await runLaunchChecks(launch({ spec }), never)));
    assert.equal(await may('a: 1'), true);
    assert.equal(await may('cache_dir: /tmp/x'), true);
    assert.equal(await may('a: /data/x'), false);
  });

  it('ends when cancelled, whatever still hangs', async () => {
    for (const hanging of [{ listWorks: () => forever }, { shell: () => forever }]) {
      const stop = new AbortController();
      const told: string[] = [];
      const running = runLaunchChecks(launch(hanging), stop.signal, (lines) => {
        told.push(...lines.map(({ id }) => id));
        if (told.includes('instanceOn')) stop.abort();
      });
      assert.equal((await running).kind, 'cancelled');
    }
    assert.equal((await runLaunchChecks(launch(), AbortSignal.abort())).kind, 'cancelled');
  });

  it('gives each part its own time', async () => {
    for (const [hanging, id] of [
      [{ listWorks: () => forever }, 'signedIn'],
      [{ shell: () => forever }, 'instanceAnswers'],
    ] as const) {
      const clock = new FakeClock();
      const running = runLaunchChecks(launch({ ...hanging, clock }), never);
      while (clock.waiting === 0) await turns(1);
      // the limit of the list is done with before the shell's begins
      while (id === 'instanceAnswers' && (clock.nextInMs ?? 0) < 120_000) await turns(1);
      await clock.advance(120_000);
      const line = okValue(await running).find((check) => check.id === id);
      assert.match(line === undefined ? '' : wordsOf(line), /^failed: .*(90|120) seconds/);
    }
  });

  it('hands a command on a fresh instance ten minutes', async () => {
    const { shell } = factShell();
    let timeoutMs = 0;
    const watched: typeof shell = {
      ...shell,
      run: (script, options) => {
        timeoutMs = options.timeoutMs;
        return shell.run(script, options);
      },
    };
    okValue(await runLaunchChecks(launch({ shell: async () => ({ kind: 'ok', value: watched }) }), never));
    assert.equal(timeoutMs, 600_000);
  });
});
