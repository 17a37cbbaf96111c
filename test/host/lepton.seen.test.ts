import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { type LeptonSim, startLeptonSim } from '../lepton-sim/sim.ts';
import { until } from './extension.ts';
import { scene } from './scene.ts';

const SETUP = 'brev.setup';
const JOBS = 'brev.jobs';

describe('Lepton', () => {
  const now = scene();
  let lepton: LeptonSim;
  let folder: string;
  let file: vscode.Uri;

  before(async () => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'brev-lepton-')));
    file = vscode.Uri.file(path.join(folder, 'spec.yaml'));
    writeFileSync(
      file.fsPath,
      `model_name: visual_changenet\nresults_dir: ${folder}/results\ntask: classify\nmodel: {}\ndataset:\n  classify: {}\ntrain:\n  num_epochs: 3\n  num_nodes: 2\n`,
    );
    const program = (name: string, text: string) =>
      writeFileSync(path.join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    program(
      'visual_changenet',
      `echo "rank $NODE_RANK of $NNODES: $1"; [ ! -e ${folder}/hold ] || sleep 60; echo weights >${folder}/results/model.pth`,
    );
    program('aws', 'echo "aws $*"');
    lepton = await startLeptonSim({ programs: folder });
    lepton.secrets.set('AWS_ACCESS_KEY_ID', 'key').set('AWS_SECRET_ACCESS_KEY', 'secret');
  });
  afterEach(async () => {
    for (const name of ['ID', 'TOKEN', 'URL']) delete process.env[`LEPTON_WORKSPACE_${name}`];
    await now().access.parts.memory.update(`run:${file.toString()}`, undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await now().screen.fold(SETUP, true);
  });
  after(async () => {
    await lepton.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const setUp = (token = lepton.token): void => {
    process.env.LEPTON_WORKSPACE_TOKEN = `${lepton.workspaceId}:${token}`;
    process.env.LEPTON_WORKSPACE_URL = lepton.url;
  };

  const setupLines = async (): Promise<Record<string, string>> => {
    const { access, screen } = now();
    await vscode.commands.executeCommand('brev.setup.focus');
    await screen.fold('brev.instances', true);
    await screen.fold(JOBS, true);
    await screen.fold(SETUP, false);
    await access.parts.setupView.run();
    // VS Code collects a view's changes for 200 ms: until then it shows what was there before
    const told = access.parts.setupView
      .getChildren()
      .map((node) => access.parts.setupView.getTreeItem(node))
      .filter(({ label }) => String(label).startsWith('Lepton'));
    const seen = await screen.until('the lines of Lepton', ({ views }) => {
      const rows = views.find(({ id }) => id === 'brev-setup')?.rows ?? [];
      const ours = rows.filter(({ icon, label }) => label.startsWith('Lepton') && icon !== 'loading');
      return (
        ours.length === 3 &&
        ours.every(({ description }, at) => description === told[at]?.description) &&
        ours
      );
    });
    return Object.fromEntries(seen.map(({ description, icon, label }) => [label, `${icon}: ${description}`]));
  };

  it('is nothing that somebody who does not use it has to look at', async () => {
    const { screen } = now();
    assert.deepEqual(await setupLines(), {
      'Lepton workspace': 'debug-step-over: Not set up; only jobs on DGX Cloud Lepton need it.',
      'Lepton token': 'debug-step-over: Checked once a Lepton workspace is set up.',
      'Lepton node groups': 'debug-step-over: Checked once Lepton accepts the token.',
    });
    await now().add('gpu1');
    void vscode.commands.executeCommand('brev.runSpec', file);
    const { rows } = await screen.quickInput(/Run spec.yaml on/);
    assert.ok(!rows.some((row) => /Lepton/.test(row)), rows.join('\n'));
    await screen.escape();
  });

  it('is checked line by line', async () => {
    setUp();
    assert.deepEqual(await setupLines(), {
      'Lepton workspace': 'pass: Set up: ws1.',
      'Lepton token': 'pass: Lepton accepts it.',
      'Lepton node groups': 'pass: h100-ng, cpu-ng.',
    });
    setUp('a-token-of-last-year');
    assert.match((await setupLines())['Lepton token'] ?? '', /^error: Lepton does not accept the token/);
  });

  it('is checked again by itself when another token was entered', async () => {
    const { screen, access } = now();
    process.env.LEPTON_WORKSPACE_URL = lepton.url;
    const line = (sentence: RegExp) =>
      screen.until(`${sentence}`, ({ views }) =>
        views
          .find(({ id }) => id === 'brev-setup')
          ?.rows.some(({ label, description }) => label === 'Lepton token' && sentence.test(description)),
      );
    const enter = async (token: string) => {
      void vscode.commands.executeCommand('brev.enterCredential', 'LEPTON_WORKSPACE_TOKEN');
      await screen.quickInput(/LEPTON_WORKSPACE_TOKEN/);
      await screen.type(`${lepton.workspaceId}:${token}`);
      await screen.accept();
    };
    try {
      await setupLines();
      await enter(lepton.token);
      await line(/^Lepton accepts it/);
      await enter('a-token-of-last-year');
      await line(/^Lepton does not accept the token/);
    } finally {
      await access.parts.credentials.forget('LEPTON_WORKSPACE_TOKEN');
    }
  });

  it('that does not answer keeps nobody who has left the list of its shapes', async () => {
    const { screen } = now();
    setUp();
    lepton.fail({ on: /^GET \/dedicated-node-groups/, what: { kind: 'hang' } });
    const run = vscode.commands.executeCommand('brev.runSpecOnLepton', file);
    await screen.until(
      'the shapes, loading',
      ({ quickInput }) => quickInput?.title === 'Resource Shape on Lepton',
    );
    await screen.escape();
    await run;
    lepton.fail();
    assert.deepEqual(await screen.toasts(), []);
  });

  it('runs a spec for several nodes, from where an instance refuses it to its end and its log', async function () {
    this.timeout(60_000);
    const { access, screen, writeEnvFile } = now();
    const { jobs } = access.parts;
    setUp();
    writeEnvFile('S3_BUCKET_NAME=team-bucket\n');
    await now().add('gpu1');
    await vscode.commands.executeCommand('brev.jobs.focus');
    await screen.fold('brev.instances', true);
    void vscode.commands.executeCommand('brev.runSpec', file);
    const { rows } = await screen.quickInput(/Run spec.yaml on/);
    assert.ok(
      rows.some((row) => /NVIDIA DGX Cloud Lepton….*workspace ws1/.test(row)),
      rows.join('\n'),
    );
    await screen.pick('gpu1');
    await screen.notification(/for 2 nodes, and Brev runs a job on one instance/);
    await screen.press('Run on Lepton…');
    const shapes = await screen.quickInput(/Resource Shape on Lepton/);
    assert.match(shapes.rows[0] ?? '', /gpu\.8xh100-80gb.*1 of 2 nodes free.*price unknown/);
    await screen.pick('gpu.8xh100-80gb');
    const review = await screen.quickInput(/Run on Lepton \(ws1\)/);
    assert.match(review.rows[0] ?? '', /Run visual_changenet train.*2 × gpu\.8xh100-80gb · price unknown/);
    assert.ok(
      review.rows.some((row) => row.includes('s3://team-bucket/brev-jobs/<job>')),
      review.rows.join('\n'),
    );
    await screen.accept();
    const job = await until(jobs.onChange, () => {
      const found = jobs.all.find(({ details }) => details.platform === 'lepton');
      return found?.state === 'COMPLETE' || found?.state === 'ERROR' ? found : undefined;
    });
    const { id } = job.details;
    const log = readFileSync(jobs.logFile(id), 'utf8');
    assert.equal(job.state, 'COMPLETE', log);
    assert.match(log, /rank 0 of 2: train/);
    assert.match(log, /rank 1 of 2: train/);
    assert.match(log, new RegExp(`aws s3 cp .*results s3://team-bucket/brev-jobs/${id}`));
    await screen.notification(new RegExp(`${id} on ws1: finished with exit code 0`));
    const group = await screen.until('the workspace among the jobs', ({ views }) =>
      views.find((view) => view.id === 'brev-jobs')?.rows.find(({ label }) => label === 'ws1'),
    );
    assert.match(group.description, /NVIDIA DGX Cloud Lepton/);
    assert.ok(!JSON.stringify(job).includes(lepton.token));
  });

  it('cancels a job that runs, after saying what is lost', async function () {
    this.timeout(60_000);
    const { access, screen, writeEnvFile } = now();
    const { jobs } = access.parts;
    setUp();
    writeEnvFile('S3_BUCKET_NAME=team-bucket\n');
    writeFileSync(path.join(folder, 'hold'), '');
    const before = new Set(jobs.all.map(({ details }) => details.id));
    void vscode.commands.executeCommand('brev.runSpecOnLepton', file);
    await screen.pick('gpu.8xh100-80gb');
    await screen.quickInput(/Run on Lepton \(ws1\)/);
    await screen.accept();
    const { details } = await until(jobs.onChange, () =>
      jobs.all.find((job) => !before.has(job.details.id) && job.state === 'RUNNING'),
    );
    void vscode.commands.executeCommand('brev.cancelJob', { kind: 'job', id: details.id });
    const { detail } = await screen.dialog(/^Cancel visual_changenet-train-/);
    assert.equal(detail, 'It is stopped on all its nodes. What it has not saved to S3 is lost.');
    await screen.press('Cancel Job');
    await screen.notification(new RegExp(`${details.id} on ws1: cancelled`));
    assert.equal(jobs.find(details.id)?.state, 'CANCELED');
  });
});
