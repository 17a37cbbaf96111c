import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { factShell, failing, type Given, GOOD_FACTS, lineOf, linesOf } from './support/launch.ts';

/** An instance with other facts than a good one. */
const withFacts = (...changed: readonly string[]): Given => {
  const names = new Set(changed.map((line) => line.split(' ', 1)[0]));
  const facts = [...GOOD_FACTS.filter((line) => !names.has(line.split(' ', 1)[0])), ...changed];
  return { shell: async () => ({ kind: 'ok', value: factShell(facts).shell }) };
};

describe('the lines of account and instance', () => {
  it('pass where nothing is wrong', async () => {
    assert.deepEqual(await linesOf({}), {
      signedIn: 'passed: Signed in, and the instances can be listed.',
      instanceOn: 'passed: gpu-1 is on.',
      spec: 'passed: Readable. Paths: 0.',
      instanceAnswers: 'passed: gpu-1 runs commands.',
      docker: 'passed: Docker answers.',
      gpus: 'passed: Usable in containers: 2.',
      machineSize: 'passed: It has all that segformer is known to need.',
      disk: 'passed: 95 GB free, and the image is there already.',
    });
  });

  it('do nothing on the instance while nobody is signed in', async () => {
    const lines = await linesOf({
      listWorks: async () => failing('signedOut', 'You are signed out.'),
      shell: () => assert.fail('a signed-out CLI was called'),
    });
    assert.equal(lines.signedIn, 'failed: You are signed out. [sign in]');
    for (const id of ['instanceAnswers', 'docker', 'gpus', 'disk'])
      assert.match(lines[id] ?? '', /^skipped/, id);
  });

  it('say what keeps the list from working otherwise', async () => {
    const lines = await linesOf({ listWorks: async () => failing('offline', 'No network.') });
    assert.equal(lines.signedIn, 'failed: No network.');
  });

  it('never start an instance that is off', async () => {
    const lines = await linesOf({
      instance: { name: 'gpu-1', on: false, state: 'STOPPED' },
      shell: () => assert.fail('exec would start it'),
    });
    assert.match(lines.instanceOn ?? '', /^failed: gpu-1 is not on \(state: STOPPED\)\. Start it/);
    assert.match(lines.instanceAnswers ?? '', /^skipped/);
  });

  it('say why the instance does not answer', async () => {
    const lines = await linesOf({ shell: async () => failing('unreachable', 'It is gone.') });
    assert.equal(lines.instanceAnswers, 'failed: It is gone.');
    assert.match(lines.docker ?? '', /^skipped/);
    const { shell } = factShell();
    const broken = {
      ...shell,
      run: async () => ({ kind: 'ok' as const, value: { exitCode: 0, stdout: 'docker up' } }),
    };
    const half = await linesOf({ shell: async () => ({ kind: 'ok', value: broken }) });
    assert.match(half.instanceAnswers ?? '', /^failed: .*broke off/);
  });
});

describe('docker', () => {
  it('that is missing is explained by the mode of the instance', async () => {
    assert.match((await lineOf('docker', withFacts('docker missing'))) ?? '', /^failed: .*VM mode/);
  });

  it('whose daemon is down comes with its own words', async () => {
    const line = await lineOf('docker', withFacts('docker down Cannot connect to the daemon.'));
    assert.match(line ?? '', /^failed: .*Cannot connect to the daemon\..*restart docker/);
  });
});

describe('GPUs', () => {
  it('are refused where there are none, or containers cannot have them', async () => {
    assert.match((await lineOf('gpus', withFacts('gpus 0'))) ?? '', /^failed: .*no usable GPU/);
    assert.match((await lineOf('gpus', withFacts('runtime no', 'gpus 2'))) ?? '', /^failed: .*toolkit/);
    assert.match((await lineOf('gpus', withFacts('runtime no', 'gpus'))) ?? '', /^failed: .*no usable GPU/);
    assert.match((await lineOf('gpus', withFacts('gpus'))) ?? '', /^warning/);
  });

  it('must be as many as the job asks for', async () => {
    assert.match((await lineOf('gpus', { run: { gpus: 2 } })) ?? '', /^passed/);
    assert.match((await lineOf('gpus', { run: { gpus: 4 } })) ?? '', /^failed: .*4 GPUs and gpu-1 has 2/);
  });
});

describe('disk space', () => {
  const gigabytes = (count: number): string => `free ${count * 1024 ** 2}`;

  it('is short only for an image that is still to come', async () => {
    const short = await lineOf('disk', withFacts(gigabytes(19), 'image absent'));
    assert.match(short ?? '', /^warning: Only 19 GB free/);
    assert.match((await lineOf('disk', withFacts(gigabytes(20), 'image absent'))) ?? '', /^passed/);
    assert.match((await lineOf('disk', withFacts(gigabytes(3), 'image present'))) ?? '', /^passed/);
  });
});

describe('the NGC key', () => {
  const nvcr: Given = { run: { image: 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt' } };

  it('is looked for only where an image comes from nvcr.io', async () => {
    assert.equal(await lineOf('ngcKey', {}), undefined);
    assert.equal(await lineOf('ngcKey', { run: { image: 'mirror.io/nvcr.io/x' } }), undefined);
  });

  it('is a warning where it is missing and the image is not there', async () => {
    const line = await lineOf('ngcKey', { ...nvcr, ...withFacts('image absent') });
    assert.match(line ?? '', /^warning: NGC_KEY is not set.*\[enter NGC_KEY\]$/);
    assert.match((await lineOf('ngcKey', nvcr)) ?? '', /^passed: Not needed/);
    const secret = 'nvapi-0123456789';
    const set = (await lineOf('ngcKey', { ...nvcr, keys: { NGC_KEY: secret } })) ?? '';
    assert.match(set, /^passed: (?=.*NGC_KEY)(?=.*~\/\.config\/tao\/\.env)/);
    assert.ok(!set.includes(secret));
  });
});

describe('the Hugging Face token', () => {
  it('is needed for a gated model, and perhaps for another', async () => {
    const gated = { spec: 'model:\n  name: meta-llama/Llama-3.1-8B' };
    assert.match(
      (await lineOf('huggingFace', gated)) ?? '',
      /^failed: .*meta-llama\/Llama-3\.1-8B \(line 2\).*\[enter HF_TOKEN\]$/,
    );
    assert.match((await lineOf('huggingFace', { ...gated, keys: { HF_TOKEN: 'hf_x' } })) ?? '', /^passed/);
    assert.match((await lineOf('huggingFace', { spec: 'hf_model: org/name' })) ?? '', /^warning/);
    assert.equal(await lineOf('huggingFace', { spec: 'model: segformer' }), undefined);
  });
});
