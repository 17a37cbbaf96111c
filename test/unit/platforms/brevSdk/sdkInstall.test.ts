import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { it, type TestContext } from 'node:test';
import { installSdk, sdkInstallation, sdkPin } from '../../../../src/platforms/brevSdk/sdkInstall.ts';
import type { Run } from '../../../../src/process/run.ts';
import { failureOf, value } from '../../../support/outcomes.ts';
import { temporaryFolder } from '../../process/temporaryFolder.ts';

async function bank(t: TestContext, versions: string): Promise<string> {
  const folder = temporaryFolder(t);
  await writeFile(path.join(folder, 'versions.yaml'), versions);
  return folder;
}

it('pins the SDK of PyPI where there is no skill bank', async () => {
  assert.deepEqual(value(await sdkPin(undefined)), {
    requirement: 'nvidia-tao-sdk==7.2.0',
    from: undefined,
  });
});

for (const [wheel, requirement] of [
  ['7.1.0', 'nvidia-tao-sdk==7.1.0'],
  ['nvidia-tao-sdk[brev]==7.1.0', 'nvidia-tao-sdk[brev]==7.1.0'],
  [
    'https://example.com/tao_sdk-7.1.0-py3-none-any.whl',
    'https://example.com/tao_sdk-7.1.0-py3-none-any.whl',
  ],
] as const) {
  it(`takes ${wheel} from the skill bank`, async (t) => {
    const folder = await bank(t, `wheels:\n  tao_sdk_brev: "${wheel}"\n`);
    assert.deepEqual(value(await sdkPin(folder)), { requirement, from: path.join(folder, 'versions.yaml') });
  });
}

for (const versions of [
  'wheels:\n  tao_sdk_brev: "--index-url=http://example.com x"\n',
  'wheels:\n  tao_sdk_brev: "nvidia-tao-sdk>=7"\n',
  'wheels:\n  tao_sdk: "7.1.0"\n',
  'wheels: [\n',
]) {
  it(`refuses ${JSON.stringify(versions)}`, async (t) => {
    assert.equal(failureOf(await sdkPin(await bank(t, versions))).kind, 'unexpected');
  });
}

it('says of a skill bank without the file that it is missing', async (t) => {
  assert.match(failureOf(await sdkPin(temporaryFolder(t))).sentence, /ENOENT/);
});

const pin = { requirement: 'nvidia-tao-sdk[brev]==7.1.0', from: undefined };

it('shows what it would run, and runs just that', async () => {
  const place = { kind: 'venv', base: 'python3', folder: '/home/me/my venv' } as const;
  const installation = sdkInstallation(pin, place);
  assert.equal(
    installation.shown,
    "python3 -m venv '/home/me/my venv'\n'/home/me/my venv/bin/python' -m pip install --disable-pip-version-check --no-input 'nvidia-tao-sdk[brev]==7.1.0'",
  );
  const ran: string[][] = [];
  const run: Run = async (program, { args }) => {
    ran.push([program, ...args]);
    return { kind: 'ok', stdout: '', stderr: '', truncated: false };
  };
  value(await installSdk(run, installation, {}, new AbortController().signal));
  assert.deepEqual(ran, installation.commands);
});

it('stops at the first command that fails, with its last words', async () => {
  const installation = sdkInstallation(pin, { kind: 'interpreter', python: '/usr/bin/python3' });
  const run: Run = async () => ({
    kind: 'failed',
    exitCode: 1,
    signal: null,
    stdout: '',
    stderr: 'Collecting\nERROR: No matching distribution\n',
    truncated: false,
  });
  const { sentence } = failureOf(await installSdk(run, installation, {}, new AbortController().signal));
  assert.equal(sentence, 'The TAO SDK was not installed: ERROR: No matching distribution');
});
