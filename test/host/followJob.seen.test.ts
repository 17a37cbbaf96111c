import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { exec } from '../../src/brev/exec.ts';
import { RecordStore } from '../../src/jobs/recordStore.ts';
import { systemClock } from '../../src/process/clock.ts';
import { Redactor } from '../../src/process/redact.ts';
import { scene } from './scene.ts';
import { instanceNamed } from './simulatedMachine.ts';
import { allowPulls, IMAGE } from './training.ts';

const JOBS = 'brev.jobs';

describe('A job that an agent submitted', () => {
  const now = scene();
  const made: string[] = [];
  const recordFolder = path.join(process.env.TAO_STATE_DIR ?? path.join(homedir(), '.tao'), 'jobs');

  /** Its record, as the TAO tools leave it beside ours. */
  async function record(id: string, backendRef?: string): Promise<void> {
    made.push(id);
    const records = new RecordStore(recordFolder, systemClock, new Redactor());
    const what = { platform: 'brev', image: IMAGE, network: 'segformer', action: 'train' } as const;
    await records.open({ id, ...what, resultsDir: '/results' });
    await records.mark(id, {
      state: 'RUNNING',
      message: 'by an agent',
      ...(backendRef === undefined ? {} : { backendRef }),
    });
    await vscode.commands.executeCommand('brev.jobs.focus');
    await now().screen.fold(JOBS, false);
    await now().access.parts.jobs.readForeign();
  }

  after(async () => {
    const { jobs } = now().access.parts;
    for (const id of made.filter((each) => jobs.find(each)?.foreign === true))
      rmSync(path.join(recordFolder, `${id}.json`));
    await jobs.readForeign();
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  it('is followed like an own one: its log opens, and its end is told', async function () {
    this.timeout(60_000);
    const { screen, access, add, list, sim } = now();
    await add('agents1');
    await list();
    const { home } = await instanceNamed(sim, 'agents1');
    await allowPulls('agents1');
    mkdirSync(path.join(home, 'specs'));
    writeFileSync(
      path.join(home, 'specs/agent.yaml'),
      'results_dir: /results\nsim: ok\ntrain:\n  num_epochs: 3\n',
    );
    const line = exec(
      'agents1',
      `docker run -d --name agents-own --gpus all -v $HOME/specs:/specs -v $HOME/out:/results ${IMAGE} segformer train -e /specs/agent.yaml`,
      60_000,
    );
    assert.ok(line.kind === 'ok');
    const ran = await access.parts.brev.execute(line.value);
    assert.equal(ran.kind, 'ok', JSON.stringify(ran));
    await record('segformer-train-0a0b0c', 'agents1/agents-own');
    await screen.menuOf(JOBS, 'segformer-train-0a0b0c');
    await screen.choose('Follow This Job');
    await screen.notification(/^segformer-train-0a0b0c on agents1: finished with exit code 0/);
    assert.equal(access.parts.jobs.find('segformer-train-0a0b0c')?.foreign, false);
  });

  it('whose instance is gone, off or without its container says so, and nothing is started for it', async () => {
    const { screen, add, list, calls } = now();
    await add('agents2');
    await add('agents3', { status: 'STOPPED' });
    await list();
    await record('segformer-train-00000a', 'nowhere/agents-own');
    await record('segformer-train-00000b', 'agents2/no-such');
    await record('segformer-train-00000c', 'agents3/agents-own');
    const follow = (id: string) => void vscode.commands.executeCommand('brev.adoptJob', { kind: 'job', id });
    await record('segformer-train-00000d');
    follow('segformer-train-00000d');
    await screen.notification(
      /^The record of segformer-train-00000d does not say yet which instance it is on\.$/,
    );
    follow('segformer-train-00000a');
    await screen.notification(/^nowhere is gone\.$/);
    follow('segformer-train-00000b');
    await screen.notification(/^There is no container no-such on agents2 to follow\.$/);
    follow('segformer-train-00000c');
    await screen.dialog(/^agents3 is stopped\./);
    await screen.press('Cancel');
    assert.deepEqual(await calls('start'), []);
  });
});
