import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, it } from 'node:test';
import { bridgeEnvironment } from '../../../../src/platforms/brevSdk/bridgeEnvironment.ts';
import { jobVariables } from '../../../../src/platforms/brevSdk/jobVariables.ts';
import { eventually } from '../../../support/eventually.ts';
import { value } from '../../../support/outcomes.ts';
import { processes } from '../../../support/process-tree.ts';
import { createPlatformCloud, never, type PlatformCloud, SPEC, specWork } from './platformCloud.ts';

const CANARY = 'canary-0123456789abcdef';
const secrets = {
  environment: new Map([
    ['HF_TOKEN', `hf_${CANARY}`],
    ['AWS_SECRET_ACCESS_KEY', `it's ${CANARY}`],
    ['AWS_DEFAULT_REGION', 'eu-central-1'],
  ]),
  ngcKey: `nvapi-${CANARY}`,
};

let cloud: PlatformCloud;
before(async () => {
  cloud = await createPlatformCloud();
});
after(() => cloud.dispose());

/** Files below a folder that have the canary in them. */
async function holding(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (file) => {
      // a file that is gone meanwhile holds nothing
      const text = await readFile(file, 'latin1').catch(() => '');
      return text.includes(CANARY) ? [file] : [];
    }),
  );
  return found.flat();
}

it('reach the container, but no command line, no log and no file that is left', async () => {
  const target = await cloud.target('segformer-train-dddddd');
  // from a window that was closed before it could launch the same job
  const { home } = await cloud.sim.instance('gpu1');
  await writeFile(path.join(home, `.brev-input-${target.jobId}-0123456789abcdef`), CANARY, { mode: 0o600 });
  let seen = 0;
  const shown: string[] = [];
  const look = (): void => {
    for (const { command } of processes()) {
      seen += command.includes(target.jobId) ? 1 : 0;
      if (command.includes(CANARY)) shown.push(command);
    }
  };
  const watch = setInterval(look, 15);
  try {
    const work = specWork(SPEC, 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt');
    value(await cloud.platform.submit({ target, work, secrets, onStep: () => undefined, signal: never }));
    const { end, log } = await cloud.toEnd(target);
    assert.equal(end.exitCode, 0, log);
    assert.ok(!log.includes(CANARY), log);
  } finally {
    clearInterval(watch);
  }
  assert.ok(seen > 0, 'the processes were looked at');
  assert.deepEqual(shown, []);
  assert.ok(!cloud.log.join('\n').includes(CANARY));
  await eventually(async () => (await holding(cloud.sim.root)).length === 0);
});

it('have the values that were given', async () => {
  const target = await cloud.target('plain-run-eeeeee');
  await cloud.launch(target, secrets, 'printf "%s|%s" "$HF_TOKEN" "$AWS_SECRET_ACCESS_KEY" | sha256sum');
  const { log } = await cloud.toEnd(target);
  const values = `hf_${CANARY}|it's ${CANARY}`;
  assert.match(log, new RegExp(createHash('sha256').update(values).digest('hex')));
});

it('are not taken from the environment of the extension', () => {
  const base = {
    PATH: '/usr/bin',
    HOME: '/home/me',
    NGC_KEY: CANARY,
    AWS_ACCESS_KEY_ID: CANARY,
    BREV_API_TOKEN: CANARY,
  };
  const environment = bridgeEnvironment(base, { python: 'p', cli: '/c', home: '/h', stateFolder: '/s' });
  assert.ok(!JSON.stringify(environment).includes(CANARY));
  assert.equal(environment.PATH, '/h/bin:/usr/bin');
  assert.equal(environment.HOME, '/home/me');
});

it('are told from what the SDK must know', () => {
  const environment = new Map([
    ['S3_BUCKET_NAME', 'bucket'],
    ['AWS_ENDPOINT_URL', `https://me:${CANARY}@s3.example.com`],
    ['HF_TOKEN', CANARY],
  ]);
  const { open, input } = jobVariables({ environment, ngcKey: undefined });
  assert.deepEqual(open, { S3_BUCKET_NAME: 'bucket' });
  assert.equal(
    Buffer.from(input ?? []).toString(),
    `AWS_ENDPOINT_URL=https://me:${CANARY}@s3.example.com\0HF_TOKEN=${CANARY}\0`,
  );
});
