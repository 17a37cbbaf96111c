// All of it at once, with what a launch really talks to: the CLI, a machine behind it, and an S3 server.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { ls } from '../../../../src/brev/ls.ts';
import { ExecShell } from '../../../../src/remote/execShell.ts';
import { ok } from '../../../../src/values/outcome.ts';
import type { InstanceSpec, SimInstance } from '../../../brev-sim/sim.ts';
import { type Moto, type MotoKeys, startMoto } from '../../../support/moto.ts';
import { simulatedCli } from '../support/cli.ts';
import { type Given, linesOf } from './support/launch.ts';

const IMAGE = 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt';
const SPEC = `
results_dir: s3://bucket/results
dataset:
  train: {images: /data/train, labels: s3://bucket/labels}
  val: {images: /data/val, labels: s3://bucket/label}
`;

let moto: Moto;
let owner: MotoKeys;

before(async () => {
  moto = await startMoto();
  await moto.createBucket('bucket');
  await moto.put('bucket', 'labels/a.json');
  owner = await moto.addUser('owner', [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }]);
  await moto.enforce();
});

after(() => moto?.stop());

/** A launch on a simulated instance, by the real client of the CLI. */
async function onInstance(
  test: TestContext,
  spec: Partial<InstanceSpec>,
): Promise<{ readonly given: Given; readonly instance: SimInstance }> {
  const { brev, sim } = await simulatedCli(test);
  const instance = await sim.addInstance({ name: 'gpu-1', ...spec });
  const given: Given = {
    spec: SPEC,
    run: { image: IMAGE },
    keys: { ACCESS_KEY: owner.accessKey, SECRET_KEY: owner.secretKey, S3_ENDPOINT_URL: moto.endpoint },
    fetch: globalThis.fetch,
    listWorks: async () => {
      const listed = await brev.execute(ls());
      return listed.kind === 'ok' ? ok(undefined) : listed;
    },
    shell: async () => ok(new ExecShell(brev, 'gpu-1')),
  };
  return { given, instance };
}

const stateOf = (lines: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(lines).map(([id, words]) => [id, words.split(':', 1)[0] ?? '']));

describe('the launch checks on an instance', () => {
  it('see it as it is', async (test) => {
    const { given, instance } = await onInstance(test, { type: 'g6e.xlarge' });
    await mkdir(path.join(instance.home, 'data/train'), { recursive: true });
    await writeFile(path.join(instance.home, 'data/train/a.png'), 'x');
    const lines = await linesOf(given);
    // how much room this computer has is not the simulation's
    assert.deepEqual(
      { ...stateOf(lines), disk: '' },
      {
        signedIn: 'passed',
        instanceOn: 'passed',
        spec: 'passed',
        instanceAnswers: 'passed',
        docker: 'passed',
        gpus: 'passed',
        machineSize: 'passed',
        disk: '',
        ngcKey: 'warning',
        s3Keys: 'passed',
        's3Input:s3://bucket/labels': 'passed',
        's3Input:s3://bucket/label': 'failed',
        'input:/data/train': 'passed',
        'input:/data/val': 'failed',
        's3Output:s3://bucket/results': 'passed',
      },
    );
    assert.match(lines['input:/data/val'] ?? '', /\[upload ~\/data\/val for \/data\/val\]$/);
  });

  it('explain a machine without docker', async (test) => {
    const { given } = await onInstance(test, { docker: false });
    const lines = await linesOf(given);
    assert.match(lines.docker ?? '', /^failed: .*VM mode/);
    assert.match(lines.gpus ?? '', /^skipped/);
  });

  it('use docker by sudo where the user may not', async (test) => {
    const { given, instance } = await onInstance(test, {});
    await writeFile(
      path.join(instance.machine, 'docker-faults.json'),
      JSON.stringify({ daemon: 'permission' }),
    );
    assert.match((await linesOf(given)).docker ?? '', /^passed/);
  });

  it('explain a docker daemon that is down', async (test) => {
    const { given, instance } = await onInstance(test, {});
    await writeFile(path.join(instance.machine, 'docker-faults.json'), JSON.stringify({ daemon: 'down' }));
    assert.match((await linesOf(given)).docker ?? '', /^failed: .*Cannot connect to the Docker daemon/);
  });

  it('explain a machine without GPUs', async (test) => {
    const { given } = await onInstance(test, { type: 'n2d-standard-4', kind: 'cpu' });
    assert.match((await linesOf(given)).gpus ?? '', /^failed: .*no usable GPU/);
  });
});
