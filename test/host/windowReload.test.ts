import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Parts } from '../../src/ui/parts.ts';
import { extension, until } from './extension.ts';
import { Screen } from './screen.ts';
import { startTraining } from './training.ts';

// In the window of the tests VS Code opens no editor again: here it is another one, without tests, as a person has it.
describe('A window that is reloaded', () => {
  let parts: Parts;
  let folder: string;
  let window: Screen;
  let ended: string;
  let running: string;

  before(async function () {
    // A whole VS Code begins.
    this.timeout(90_000);
    parts = (await extension()).parts;
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'brev-reload-')));
    const step = { platform: 'brev', instance: 'train-l40s' };
    writeFileSync(
      path.join(folder, 'kept.brevflow.yaml'),
      JSON.stringify([
        { ...step, name: 'long', command: `until [ -e ${folder}/go-on ]; do sleep 0.2; done` },
        { ...step, name: 'after', needs: 'long', command: 'exit 0' },
      ]),
    );
    const opening = (await Screen.open()).openWindow(folder);
    ended = (await startTraining(parts, { instance: 'train-l40s', epochs: 3 })).details.id;
    await until(parts.jobs.onChange, () => (parts.jobs.find(ended)?.state === 'COMPLETE' ? true : undefined));
    running = (await startTraining(parts, { instance: 'train-l40s', epochs: 9_000 })).details.id;
    window = await opening;
  });
  after(async () => {
    await parts.jobs.cancel(running, new AbortController().signal);
    await window?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has its job panels again, with what was chosen in them, and the curves go on', async function () {
    this.timeout(90_000);
    await window.runCommand('Show Curves');
    await window.pick(running);
    await window.panel('the curve', ({ charts }) => charts.some(({ ink }) => ink > 500));
    await window.pressInWebview(`#compare-${running}`);
    await window.quickInput(/Compare With/);
    await window.pick(ended);
    await window.accept();
    await window.runCommand('Single Column Editor Layout');
    const both = `${running}, ${ended}`;
    await window.showTab(both);
    const curve = 'figure[aria-label^="Loss"] .u-series:nth-child(2) .u-label';
    const kept = (what: string) =>
      window.panel(what, (seen) => {
        const loss = seen.charts.find(({ label }) => label.startsWith('Loss'));
        return (
          seen.cards.length === 2 &&
          loss !== undefined &&
          loss.ink > 500 &&
          loss.legend[1]?.shown === false &&
          loss.legend[2]?.shown === true &&
          seen.cards[0]?.progress
        );
      });
    await window.panel('two runs', ({ cards, charts }) => cards.length === 2 && charts.length > 0);
    await window.pressInWebview(curve);
    await kept('a hidden curve');
    await window.showTab(running);
    await window.panel('one run', ({ cards }) => cards.length === 1);
    await window.showTab(both);
    const before = await kept('the same after it was behind another editor');
    await window.reload();
    const then = await kept('the same after the reload');
    assert.notEqual(then, before);
    assert.match(then, /epoch/i);
    await window.panel('a curve that goes on', ({ cards }) => cards[0]?.progress !== then);
    console.log(await window.picture('reloaded'));
    assert.deepEqual(await window.toasts(), []);
    await window.showTab(running);
    await window.panel('one run', ({ cards, charts }) => cards.length === 1 && charts.length > 0);
  });
});
