import assert from 'node:assert/strict';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { agentSkill } from '../../../../src/preflight/checks/agentSkill.ts';
import { checksFor } from '../../../../src/preflight/checks/allChecks.ts';
import { remoteSsh } from '../../../../src/preflight/checks/remoteSsh.ts';
import { sshWorks } from '../../../../src/preflight/checks/sshWorks.ts';
import { Setup } from '../../../../src/preflight/setup.ts';
import { createRun } from '../../../../src/process/run.ts';
import { message } from '../../../../src/values/message.ts';
import { failed, ok } from '../../../../src/values/outcome.ts';
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
