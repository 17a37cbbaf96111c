import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { type Moto, startMoto } from '../support/moto.ts';
import { cloud, extension } from './extension.ts';
import { Screen } from './screen.ts';

const NAME = 'for-one-run';
const KEYS = ['ACCESS_KEY', 'SECRET_KEY', 'S3_ENDPOINT_URL', 'S3_BUCKET_NAME'] as const;

/** Where nothing listens any more. */
async function nobody(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${address.port}`;
}

describe('An ephemeral instance', () => {
  let moto: Moto;
  let screen: Screen;

  before(async () => {
    moto = await startMoto();
    await moto.createBucket('results');
    screen = await Screen.open();
    await screen.showAll(true);
    Object.assign(process.env, {
      ACCESS_KEY: 'setup',
      SECRET_KEY: 'setup',
      S3_BUCKET_NAME: 'results',
      S3_ENDPOINT_URL: await nobody(),
    });
  });
  after(async () => {
    for (const key of KEYS) delete process.env[key];
    const sim = await cloud();
    if ((await sim.instances()).some(({ name }) => name === NAME)) await sim.removeInstance(NAME);
    await vscode.commands.executeCommand('notifications.clearAll');
    await screen?.showAll(false);
    await moto?.stop();
  });

  it('is deleted after its last job only once the results are safe, and stays when they are not', async function () {
    this.timeout(60_000);
    const { parts } = await extension();
    const sim = await cloud();
    await vscode.commands.executeCommand('brev.instances.focus');
    const { id } = await sim.addInstance({ name: NAME, status: 'RUNNING' });
    const deletes = async () =>
      (await sim.calls()).filter(({ args }) => args[0] === 'delete' && args[1] === id);
    await parts.wishes.remember(id, { lifetime: 'ephemeral', otherTypes: [] });
    const job = await parts.jobs.submit({
      platform: 'brev',
      work: { kind: 'command', command: 'echo weights >"$(echo .brev-jobs/*)/results/model.pth"' },
      instance: { id, name: NAME },
      specUri: '',
      secrets: { environment: new Map(), ngcKey: undefined },
      onStep: () => undefined,
      signal: new AbortController().signal,
    });
    assert.ok(job.kind === 'ok', JSON.stringify(job));
    const question = await screen.notification(
      /^The jobs on for-one-run have ended and left one file \(8 bytes\)/,
    );
    assert.deepEqual(question.buttons, ['Save to S3…', 'Download…', 'Keep the Instance']);
    void vscode.commands.executeCommand('brev.showResults', { kind: 'job', id: job.value.details.id });
    const list = await screen.quickInput(/^Results of command-run-/);
    assert.ok(
      list.rows.some((row) => row.includes('model.pth')),
      list.rows.join(),
    );
    await screen.escape();

    await screen.press('Save to S3…');
    await screen.quickInput(/^Save results to S3/);
    await screen.type('s3://results/runs');
    await screen.accept();
    const failed = await screen.notification(/not deleted/);
    assert.match(
      failed.text,
      /^for-one-run is not deleted, and still billing \(\$.*The S3 server does not answer \(ECONNREFUSED\)/,
    );
    assert.deepEqual(await deletes(), []);

    process.env.S3_ENDPOINT_URL = moto.endpoint;
    await screen.press('Try Again');
    await screen.press('Save to S3…');
    await screen.quickInput(/^Save results to S3/);
    await screen.accept();
    const saved = await screen.notification(/are verified in s3:/);
    assert.ok(saved.text.includes(`s3://results/runs/${job.value.details.id}/`), saved.text);
    assert.match(saved.text, /Everything else on it is lost/);
    assert.deepEqual(await deletes(), []);

    await screen.press(`Delete ${NAME}`);
    await screen.noRow(NAME);
    assert.equal((await deletes()).length, 1);
    assert.equal(parts.wishes.get(id), undefined);
  });
});
