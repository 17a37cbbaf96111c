import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Parts } from '../../src/ui/parts.ts';
import type { Scenario } from '../brev-sim/machine/tao/scenario.ts';
import { extension, until } from './extension.ts';
import { Screen } from './screen.ts';
import { startTraining } from './training.ts';

const MACHINE = ['Stop Instance…', 'Delete Instance…'];

describe('The end of a job', () => {
  let parts: Parts;
  let screen: Screen;

  before(async () => {
    parts = (await extension()).parts;
    screen = await Screen.open();
    await screen.showAll(true);
    await parts.offers.load();
  });
  afterEach(() => vscode.commands.executeCommand('notifications.clearAll'));
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await screen.showAll(false);
  });

  const end = async (scenario: Scenario) => {
    const { details } = await startTraining(parts, { instance: 'train-l40s', epochs: 2, scenario });
    await until(parts.jobs.onChange, () => {
      const state = parts.jobs.find(details.id)?.state;
      return state === 'COMPLETE' || state === 'ERROR' ? state : undefined;
    });
    return screen.notification(new RegExp(`^${details.id} on train-l40s`));
  };

  it('is told with curves, results and the ways to end the machine, of which none is chosen by itself', async () => {
    const told = await end('ok');
    assert.equal(told.severity, 'info');
    assert.match(told.text, /train-l40s stays on \(\$\d+\.\d\d\/h\)\.$/);
    assert.deepEqual(told.buttons, ['Curves', 'Results…', 'Show Log', ...MACHINE]);
    await screen.press('Delete Instance…');
    const question = await screen.dialog(/^Delete train-l40s/);
    assert.ok(question.buttons.includes('Cancel'));
    await screen.press('Cancel');
    assert.ok(parts.store.instances.some(({ name }) => name === 'train-l40s'));
  });

  it('names machines with more memory after a GPU ran out of it, and its button shows only those', async () => {
    const told = await end('cuda-oom');
    assert.equal(told.severity, 'error');
    assert.match(told.text, /GPU 0 ran out of memory: .* GiB were free\./);
    assert.match(told.text, /With more memory: 1 × \S+ (?:[5-9]\d|\d{3}) GB \(\$\d+\.\d\d\/h\)/);
    assert.equal(told.buttons[0], 'Pick a Type…');
    await screen.press('Pick a Type…');
    const { placeholder, rows } = await screen.quickInput(/GPU Type/);
    assert.match(placeholder, /large enough for segformer train/);
    for (const row of rows.filter((each) => /\$\d/.test(each))) {
      assert.ok(Number(/ (\d+) GB/.exec(row)?.[1]) > 48, row);
    }
    await screen.escape();
    await screen.noQuickInput();
  });

  const faults: readonly (readonly [Scenario, RegExp, string])[] = [
    ['bad-key', /does not know the key/, 'Open Spec'],
    ['no-space', /disk is full/, 'Open Shell'],
  ];
  for (const [scenario, words, button] of faults) {
    it(`names what helps: ${scenario}`, async () => {
      const told = await end(scenario);
      assert.equal(told.severity, 'error');
      assert.match(told.text, words);
      assert.deepEqual(told.buttons, [button, 'Show Log', 'Curves', ...MACHINE]);
    });
  }

  it('that is a success in doubt is a warning', async () => {
    const told = await end('false-pass');
    assert.equal(told.severity, 'warning');
    assert.match(told.text, /it may not have worked/);
  });
});
