import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { changeMode } from '../../../../src/preflight/changeMode.ts';
import { envFileReadable } from '../../../../src/preflight/checks/envFileReadable.ts';
import {
  hfTokenPresent,
  ngcKeyPresent,
  s3KeysPresent,
  tokenPresent,
} from '../../../../src/preflight/checks/keys.ts';
import { taoEnvFile } from '../../../../src/preflight/credentials.ts';
import { Setup } from '../../../../src/preflight/setup.ts';
import { mintToken } from '../../../brev-sim/sim.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { fakeContext } from '../support/context.ts';
import { look, readings } from '../support/reading.ts';
import { put, temporaryHome } from '../support/temporary-home.ts';

describe('the env file', () => {
  it('is not there, which is no fault', async (t) => {
    const home = await temporaryHome(t);
    assert.match(
      await look(envFileReadable, fakeContext({ home })),
      /^skipped: There is no .*\.config\/tao\/\.env\./,
    );
  });

  it('is good', async (t) => {
    const home = await temporaryHome(t);
    await put(taoEnvFile(home), 'A=1\n');
    assert.match(await look(envFileReadable, fakeContext({ home })), /^passed: /);
  });

  it('is open to others, until its fix', async (t) => {
    const home = await temporaryHome(t);
    const file = await put(taoEnvFile(home), 'A=1\nB\n');
    await chmod(file, 0o644);
    const setup = new Setup(fakeContext({ home }), [envFileReadable]);
    const [line] = await setup.run();
    assert.match(
      readings(setup.lines).envFile ?? '',
      /^warning: .* its mode is 644 and should be 600\. \[chmod 600\]$/,
    );
    const fix = line?.result?.fix;
    assert.equal(fix?.kind, 'chmod');
    await setup.fix(async () => (fix?.kind === 'chmod' ? changeMode(fix.path, fix.mode) : assert.fail()));
    assert.match(readings(setup.lines).envFile ?? '', /^warning: Line 2 of .* is not of the form KEY=VALUE/);
  });

  it('cannot be read', async (t) => {
    const home = await temporaryHome(t);
    await put(taoEnvFile(home), 'A="x');
    assert.match(
      await look(envFileReadable, fakeContext({ home })),
      /^failed: .* line 1 is not closed\..* repair it by hand\.$/,
    );
  });
});

describe('the keys', () => {
  const set = {
    NGC_KEY: 'nvapi-secret',
    HF_TOKEN: 'hf_secret',
    ACCESS_KEY: 'AKIAsecret',
    SECRET_KEY: 'deepsecret',
  };
  const checks = [tokenPresent, ngcKeyPresent, hfTokenPresent, s3KeysPresent];

  it('are missed by name, with what cannot be done and a way to enter them', async (t) => {
    const setup = new Setup(fakeContext({ home: await temporaryHome(t) }), checks);
    assert.deepEqual(readings(await setup.run()), {
      token:
        'warning: BREV_API_TOKEN is not set. That is fine as long as you sign in with the browser; without it nobody can sign in for you. [brev.enterCredential BREV_API_TOKEN]',
      ngcKey:
        'warning: NGC_KEY is not set: images on nvcr.io that need a login cannot be pulled. [brev.enterCredential NGC_KEY]',
      hfToken:
        'warning: HF_TOKEN is not set: gated models on Hugging Face cannot be downloaded. [brev.enterCredential HF_TOKEN]',
      s3Keys:
        'warning: ACCESS_KEY and SECRET_KEY are not set: jobs cannot use s3:// paths. [brev.enterCredential ACCESS_KEY]',
    });
  });

  for (const source of ['environment', 'env file', 'secret storage'] as const) {
    it(`are found in the ${source}, and their values are not told`, async (t) => {
      const home = await temporaryHome(t);
      const values: Record<string, string> = {
        ...set,
        BREV_API_TOKEN: mintToken({ expiresInSeconds: 3_600 }),
      };
      if (source === 'env file') {
        const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
        await put(taoEnvFile(home), lines.join(''));
      }
      const setup = new Setup(
        fakeContext({
          home,
          environment: source === 'environment' ? values : {},
          secrets: async (name) => (source === 'secret storage' ? values[name] : undefined),
        }),
        checks,
      );
      const lines = readings(await setup.run());
      for (const [id, text] of Object.entries(lines)) {
        assert.match(text, /^passed: /, id);
        assert.ok(text.includes(source === 'env file' ? taoEnvFile(home) : source), text);
        for (const value of Object.values(values)) {
          assert.ok(!text.includes(value), text);
        }
      }
    });
  }

  it('are a pair only together', async (t) => {
    const home = await temporaryHome(t);
    const s3 = (environment: Record<string, string>) =>
      look(s3KeysPresent, fakeContext({ home, environment }));
    assert.equal(
      await s3({ ACCESS_KEY: 'a' }),
      'failed: ACCESS_KEY is set, but SECRET_KEY is not: S3 needs both. [brev.enterCredential SECRET_KEY]',
    );
    assert.equal(
      await s3({ SECRET_KEY: 's' }),
      'failed: SECRET_KEY is set, but ACCESS_KEY is not: S3 needs both. [brev.enterCredential ACCESS_KEY]',
    );
    await put(taoEnvFile(home), 'SECRET_KEY=s\n');
    assert.match(await s3({ ACCESS_KEY: 'a' }), /^warning: .* come from two places/);
  });

  it('of a token are over after its time', async (t) => {
    const home = await temporaryHome(t);
    const clock = new FakeClock(Date.now());
    const BREV_API_TOKEN = mintToken({ expiresInSeconds: 60 });
    const token = () => look(tokenPresent, fakeContext({ home, clock, environment: { BREV_API_TOKEN } }));
    assert.match(await token(), /^passed: /);
    await clock.advance(61_000);
    assert.match(
      await token(),
      /^warning: .* its time is over\. .* \[brev\.enterCredential BREV_API_TOKEN\]$/,
    );
  });

  it('are unknown, not missing, when the env file cannot be read', async (t) => {
    const home = await temporaryHome(t);
    await put(taoEnvFile(home), 'A="x');
    const setup = new Setup(fakeContext({ home, environment: { NGC_KEY: 'k' } }), checks);
    const lines = readings(await setup.run());
    assert.match(lines.ngcKey ?? '', /^passed: /);
    for (const id of ['token', 'hfToken', 's3Keys']) {
      assert.match(lines[id] ?? '', /^unknown: It is not known whether .* cannot be read\./, id);
    }
  });
});
