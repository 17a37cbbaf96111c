import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Parts } from '../../src/ui/parts.ts';
import { LINE_MARK } from '../support/host-run.ts';
import type { PanelLook } from '../support/panel-look.ts';
import { cloud, extension, until } from './extension.ts';
import { Screen } from './screen.ts';
import { startTraining } from './training.ts';

const INSTANCE = 'train-l40s';
const LOSS = 'figure[aria-label^="Loss"]';

// VS Code opens no editor again in the window of the tests: here it is another one, without tests, as a person has it.
describe('A window that is reloaded', () => {
  let parts: Parts;
  let folder: string;
  let window: Screen;
  let ended: string;
  let running: string;
  let both: string;
  let speed: string;
  let usual: Buffer;

  before(async function () {
    // A whole VS Code begins.
    this.timeout(120_000);
    parts = (await extension()).parts;
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'brev-reload-')));
    const step = { platform: 'brev', instance: INSTANCE };
    writeFileSync(
      path.join(folder, 'kept.brevflow.yaml'),
      JSON.stringify([
        { ...step, name: 'long', command: `until [ -e ${folder}/go-on ]; do sleep 0.2; done` },
        { ...step, name: 'after', needs: 'long', command: 'exit 0' },
      ]),
    );
    const opening = (await Screen.open()).openWindow(folder);
    ended = (await startTraining(parts, { instance: INSTANCE, epochs: 3 })).details.id;
    await until(parts.jobs.onChange, () => (parts.jobs.find(ended)?.state === 'COMPLETE' ? true : undefined));
    // a log that grows as in life: all windows read it, and draw its curves
    const { machine } = await (await cloud()).instance(INSTANCE);
    speed = path.join(machine, 'speed');
    usual = readFileSync(speed);
    writeFileSync(speed, '1\n');
    running = (await startTraining(parts, { instance: INSTANCE, epochs: 9_000 })).details.id;
    await until(parts.jobs.onChange, () =>
      parts.jobs.find(running)?.state === 'RUNNING' ? true : undefined,
    );
    both = `${running}, ${ended}`;
    window = await opening;
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed')
      console.log(`${LINE_MARK}Picture: ${await window?.picture(this.currentTest.title)}`);
  });
  after(async () => {
    // not before: the training looks at it only once it has begun
    writeFileSync(speed, usual);
    await parts.jobs.cancel(running, new AbortController().signal);
    await window?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const loss = ({ charts }: PanelLook) =>
    charts.find(({ label, ink }) => label.startsWith('Loss') && ink > 500);

  /** Both runs, one of their curves hidden, zoomed: the epoch in the middle, and how far the first one is. */
  const asChosen = async (what: string) => {
    await window.panel('the curves', (seen) => seen.cards.length === 2 && loss(seen) !== undefined);
    return await window.panel(
      what,
      (seen) => {
        const legend = loss(seen)?.legend ?? [];
        const middle = /^epoch:?\s*([\d.,]+)$/.exec(legend[0]?.text ?? '')?.[1];
        const progress = seen.cards[0]?.progress;
        return (
          seen.cards.length === 2 &&
          legend[1]?.shown === false &&
          legend[2]?.shown === true &&
          middle !== undefined &&
          progress !== undefined && { middle: Number(middle.replaceAll(',', '')), progress }
        );
      },
      `${LOSS} .u-over`,
    );
  };

  /** The graph of the plan: each step with how it stands. */
  const graph = (what: string, steps: RegExp) =>
    window.panel(what, ({ steps: seen }) => steps.test(seen.join(', ')));

  it('has its job panels as they were looked at when they come from behind another editor', async function () {
    this.timeout(120_000);
    // the panels open beside it, one over the other
    await window.openFile('kept.brevflow.yaml');
    await window.runCommand('Show Curves');
    await window.pick(running);
    await window.panel('the curve', (seen) => loss(seen) !== undefined);
    await window.runCommand('Compare Curves…');
    await window.pick(running);
    await window.pick(ended);
    await window.accept();
    await window.panel('two runs', (seen) => seen.cards.length === 2 && loss(seen) !== undefined);
    await window.pressInWebview(`${LOSS} .u-series:nth-child(2) .u-label`);
    await window.dragInWebview(`${LOSS} .u-over`, 0.3, 0.7);
    const { middle } = await asChosen('a hidden curve');
    await window.showTab(running);
    await window.panel('one run', ({ cards }) => cards.length === 1);
    await window.showTab(both);
    assertNear((await asChosen('the same')).middle, middle);
  });

  it('has its panels, graphs and logs again by itself, and what runs goes on in them', async function () {
    this.timeout(240_000);
    await window.showTab('kept.brevflow.yaml');
    await window.runCommand("Show Plan's Graph");
    await graph('the plan', /^long: /);
    await window.pressInWebview('#plan-run');
    await window.dialog(/^Run kept: 2 steps\?$/);
    await window.press('Run');
    await graph('a step that runs', /^long: running/);
    await window.pressInWebview('#inWords');
    await window.showTab(both);
    const { middle, progress } = await asChosen('the same');
    await window.pressInWebview(`#openLog-${running}`);
    await window.until('the log', ({ output }) => /Epoch \d/.test(output));
    await window.reload();
    const again = await asChosen('the same after the reload');
    assertNear(again.middle, middle);
    assert.match(again.progress, /^epoch \d+ of 9000/);
    assert.notEqual(again.progress, progress);
    await window.panel('a curve that goes on', ({ cards }) => cards[0]?.progress !== again.progress);
    await window.until('the log', ({ output }) => /Epoch \d/.test(output));
    await window.picture('job panel');
    await window.showTab(running);
    await window.panel('one run', (seen) => seen.cards.length === 1 && loss(seen) !== undefined);
    await window.showTab('kept');
    await graph('the step that runs', /^long: running, after: waiting/);
    await window.panel('the steps in words', ({ table }) => table[1]?.startsWith('long'));
    await window.picture('graph');
    writeFileSync(path.join(folder, 'go-on'), '');
    await graph('the end of both', /^long: done, after: done/);
    assert.deepEqual(
      (await window.toasts()).filter((toast) => !/^kept/.test(toast)),
      [],
    );
  });

  it('says what is missing in them, signed out and with files gone', async function () {
    this.timeout(120_000);
    const records = path.join(process.env.TAO_STATE_DIR ?? path.join(homedir(), '.tao'), 'jobs');
    const credentials = path.join((await cloud()).home, '.brev/credentials.json');
    renameSync(credentials, `${credentials}.away`);
    try {
      rmSync(path.join(folder, 'kept.brevflow.yaml'));
      rmSync(path.dirname(parts.jobs.logFile(ended)), { recursive: true });
      rmSync(path.join(records, `${ended}.json`));
      await window.reload();
      const { notice } = await window.panel('the graph', (seen) => seen.notice !== '' && seen);
      assert.equal(
        notice,
        `${path.join(folder, 'kept.brevflow.yaml')} cannot be read. It may have been moved or deleted.`,
      );
      await window.picture('graph that is gone');
      await window.showTab(both);
      const panel = await window.panel('the run that is left', (seen) => loss(seen) !== undefined && seen);
      assert.match(panel.cards[0]?.progress ?? '', /^epoch \d+ of 9000/);
      assert.equal(panel.notice, `Nothing is known of ${ended} any more: it was removed from this computer.`);
      await window.picture('job that is gone');
      assert.deepEqual(await window.toasts(), []);
    } finally {
      renameSync(`${credentials}.away`, credentials);
    }
  });
});

/** The point that is nearest to the middle changes as more come; without the zoom it would be far away soon. */
function assertNear(seen: number, wanted: number): void {
  assert.ok(Math.abs(seen - wanted) < 1 + wanted / 5, `epoch ${seen} in the middle, not about ${wanted}`);
}
