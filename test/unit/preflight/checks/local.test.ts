import assert from 'node:assert/strict';
import { chmod, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { changeMode } from '../../../../src/preflight/changeMode.ts';
import { agentSkill } from '../../../../src/preflight/checks/agentSkill.ts';
import { checksFor } from '../../../../src/preflight/checks/allChecks.ts';
import { envFileReadable } from '../../../../src/preflight/checks/envFileReadable.ts';
import {
  hfTokenPresent,
  ngcKeyPresent,
  s3KeysPresent,
  tokenPresent,
} from '../../../../src/preflight/checks/keys.ts';
import { remoteSsh } from '../../../../src/preflight/checks/remoteSsh.ts';
import { sshWorks } from '../../../../src/preflight/checks/sshWorks.ts';
import { taoEnvFile } from '../../../../src/preflight/envFile.ts';
import { Setup } from '../../../../src/preflight/setup.ts';
import { createRun } from '../../../../src/process/run.ts';
import { message } from '../../../../src/values/message.ts';
import { failed, ok } from '../../../../src/values/outcome.ts';
import { mintToken } from '../../../brev-sim/sim.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { fakeContext } from '../support/context.ts';
import { look, readings } from '../support/reading.ts';
import { put, temporaryHome } from '../support/temporary-home.ts';

const noCli = failed({
  kind: 'cliMissing',
  message: message('No CLI.'),
  action: 'openInstallPage',
  retrySafe: true,
});

describe('ssh', () => {
  /** A home with a program named ssh that does what the script says. */
  async function withSsh(home: string, script: string | undefined) {
    const bin = path.join(home, 'bin');
    await mkdir(bin);
    if (script !== undefined) {
      await put(path.join(bin, 'ssh'), script, 0o755);
    }
    return fakeContext({
      home,
      environment: { PATH: bin, HOME: home },
      run: createRun(),
      locate: async () => ok('/bin/brev'),
    });
  }
  const works = '#!/bin/sh\necho OpenSSH_9 >&2\n';

  it('is missing', async (t) => {
    assert.match(
      await look(sshWorks, await withSsh(await temporaryHome(t), undefined)),
      /^failed: There is no ssh program on the PATH.* \[https:\/\/code\.visualstudio\.com\/docs\/remote\//,
    );
  });

  it('does not work', async (t) => {
    const context = await withSsh(await temporaryHome(t), '#!/bin/sh\nexit 127\n');
    assert.equal(await look(sshWorks, context), 'failed: The ssh program on the PATH does not work.');
  });

  it('has no settings of the CLI yet', async (t) => {
    const home = await temporaryHome(t);
    assert.equal(
      await look(sshWorks, await withSsh(home, works)),
      `warning: The Brev CLI has not written its SSH settings yet (${home}/.brev/ssh_config). [brev refresh]`,
    );
  });

  it('offers no brev refresh where there is no brev', async (t) => {
    const context = { ...(await withSsh(await temporaryHome(t), works)), locate: async () => noCli };
    assert.doesNotMatch(await look(sshWorks, context), /\[/);
  });

  for (const [what, config, expected] of [
    ['no configuration', undefined, /^warning: .*\.ssh\/config does not include .* \[brev refresh\]$/],
    ['no Include', 'Host a\n', /^warning: .* does not include .* \[brev refresh\]$/],
    [
      'an Include that is hidden in a block',
      'Host a\nInclude ~/.brev/ssh_config\n',
      /^warning: .* Move that line to the top\.$/,
    ],
    ['the Include', 'Include ~/.brev/ssh_config\n', /^passed: /],
  ] as const) {
    it(`is judged by the user's configuration: ${what}`, async (t) => {
      const home = await temporaryHome(t);
      await put(path.join(home, '.brev', 'ssh_config'), '');
      const users = path.join(home, '.ssh', 'config');
      if (config !== undefined) {
        await put(users, config);
      }
      assert.match(await look(sshWorks, await withSsh(home, works)), expected);
      if (config === undefined) {
        await assert.rejects(stat(users), /ENOENT/, 'it is never written');
      }
    });
  }
});

describe('Remote-SSH', () => {
  const withExtensions = (...ids: readonly string[]) =>
    fakeContext({ isExtensionInstalled: (id) => ids.includes(id) });

  it('is there, or one that does the same', async () => {
    for (const id of ['ms-vscode-remote.remote-ssh', 'anysphere.remote-ssh', 'jeanp413.open-remote-ssh']) {
      assert.match(await look(remoteSsh, withExtensions('x.y', id)), /^passed: /);
    }
  });

  it('is not there', async () => {
    assert.match(
      await look(remoteSsh, withExtensions('x.y')),
      /^warning: Not installed: .* \[install ms-vscode-remote\.remote-ssh\]$/,
    );
  });

  it('is unknown where it cannot be seen', async () => {
    assert.match(
      await look(remoteSsh, fakeContext({ isExtensionInstalled: () => undefined })),
      /^unknown: .* \[install /,
    );
  });
});

describe('the agent skill', () => {
  const context = (home: string, folders: readonly string[] = []) =>
    fakeContext({
      home,
      workspaceFolders: () => folders,
      brev: { ...fakeContext().brev, dialect: async () => noCli },
    });

  it('is found in the home or in a folder of the workspace', async (t) => {
    const home = await temporaryHome(t);
    const folder = path.join(home, 'project');
    assert.match(await look(agentSkill, context(home, [folder])), /^warning: Not installed/);
    await mkdir(path.join(folder, '.claude/skills/brev-cli'), { recursive: true });
    assert.equal(
      await look(agentSkill, context(home, ['/nowhere', folder])),
      `passed: Installed: ${folder}/.claude/skills/brev-cli.`,
    );
    await mkdir(path.join(home, '.claude/skills/brev-cli'), { recursive: true });
    assert.equal(
      await look(agentSkill, context(home, [folder])),
      `passed: Installed: ${home}/.claude/skills/brev-cli.`,
    );
  });

  it('asks what the CLI can do together with the other checks, once', async (t) => {
    let asked = 0;
    const dialect = async () => {
      asked++;
      return noCli;
    };
    const context = fakeContext({
      home: await temporaryHome(t),
      brev: { ...fakeContext().brev, dialect },
      locate: async () => ok('/bin/brev'),
      run: async (program) => ({ kind: 'notFound', program }),
    });
    await new Setup(context).run();
    assert.equal(asked, 1);
  });

  it('is a folder, not a file', async (t) => {
    const home = await temporaryHome(t);
    await put(path.join(home, '.claude/skills/brev-cli'), '');
    assert.match(await look(agentSkill, context(home)), /^warning: /);
  });
});

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
    await setup.fix(async () => (fix?.kind === 'chmod' ? changeMode(fix.path, fix.mode) : noCli));
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

describe('on Windows', () => {
  it('one line says what to do, and nothing else is looked at', async () => {
    const setup = new Setup(fakeContext({ platform: 'win32' }));
    const [first, ...others] = Object.values(readings(await setup.run()));
    assert.match(first ?? '', /^failed: There is no Brev CLI for Windows itself\. .* \[brev\.useWsl\]$/);
    assert.equal(others.length, checksFor('linux').length);
    assert.deepEqual([...new Set(others)], ['skipped: Checked once this extension runs in WSL.']);
  });
});

it('no check comes before what it waits for, and no two have the same id', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    const ids = checksFor(platform).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const [index, { after }] of checksFor(platform).entries()) {
      assert.ok(after === undefined || ids.slice(0, index).includes(after.id));
    }
  }
});
