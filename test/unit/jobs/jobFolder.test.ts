import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { COMMAND, type JobDetails, JobFolders } from '../../../src/jobs/jobFolder.ts';
import { temporaryFolder } from '../process/temporaryFolder.ts';

const DETAILS: JobDetails = {
  id: 'segformer-train-0a1b2c',
  platform: 'brev',
  instanceId: 'k3x9',
  instanceName: 'gpu1',
  specUri: 'file:///home/me/spec.yaml',
  network: 'segformer',
  action: 'train',
  image: 'nvcr.io/x:1',
  gpus: 'all',
  submittedAt: 1,
};
const SPEC = {
  kind: 'spec',
  spec: {
    network: 'segformer',
    action: 'train',
    image: 'nvcr.io/x:1',
    gpus: 2,
    specFile: { name: 'spec.yaml', content: Buffer.from('train: {}\n') },
  },
} as const;

describe('the local folders of the jobs', () => {
  it('give back what was put in', async (t) => {
    const folders = new JobFolders(path.join(temporaryFolder(t), 'jobs'));
    assert.deepEqual(await folders.list(), []);
    await folders.create(DETAILS, SPEC);
    assert.deepEqual(await folders.read(DETAILS.id), DETAILS);
    assert.deepEqual(await folders.list(), [DETAILS]);
    const work = await folders.work(DETAILS);
    assert.ok(work?.kind === 'spec');
    assert.equal(Buffer.from(work.spec.specFile.content).toString(), 'train: {}\n');

    const command: JobDetails = { ...DETAILS, id: 'command-run-1', network: COMMAND, action: 'run' };
    for (const [image, work] of [
      ['', { kind: 'command', command: "echo 'it''s'" }],
      ['x:1', { kind: 'command', command: 'true', container: { image: 'x:1', gpus: 'all' } }],
    ] as const) {
      await folders.create({ ...command, image }, work);
      assert.deepEqual(await folders.work({ ...command, image }), work);
    }
    const inputs = [{ uri: 's3://b/x/', path: '/data/x', kind: 'folder' }] as const;
    const withInputs = await folders.work({ ...DETAILS, inputs });
    assert.deepEqual(withInputs?.kind === 'spec' && withInputs.spec.inputs, inputs);
  });

  it('are only for their owner, and have their details last and whole', async (t) => {
    const folders = new JobFolders(path.join(temporaryFolder(t), 'jobs'));
    await folders.create(DETAILS, SPEC);
    assert.equal(statSync(folders.folder(DETAILS.id)).mode & 0o777, 0o700);
    assert.ok(!readdirSync(folders.folder(DETAILS.id)).some((name) => name.endsWith('.new')));
  });

  it('are left out where they are broken, half made, or say that they are another', async (t) => {
    const root = temporaryFolder(t);
    const folders = new JobFolders(root);
    await folders.create(DETAILS, SPEC);
    writeFileSync(path.join(root, '.DS_Store'), '');
    for (const [name, content] of [
      ['empty', undefined],
      ['torn', '{"id": "torn"'],
      ['foreign', '{"something": "else"}'],
      ['../escape', JSON.stringify({ ...DETAILS, id: '../../escape' })],
      ['other', JSON.stringify({ ...DETAILS, id: '../../outside' })],
    ] as const) {
      const folder = path.join(root, path.basename(name));
      mkdirSync(folder);
      if (content !== undefined) {
        writeFileSync(path.join(folder, 'job.json'), content);
      }
    }
    assert.deepEqual(await folders.list(), [DETAILS]);
    assert.equal(await folders.work({ ...DETAILS, id: 'empty' }), undefined);
  });

  it('keep log, status and lease apart', () => {
    const folders = new JobFolders('/root');
    assert.equal(
      new Set([folders.logFile('a'), folders.statusFile('a'), folders.leaseFile('a'), folders.logFile('b')])
        .size,
      4,
    );
  });
});
