import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { readDialect } from '../../../../src/brev/dialect.ts';
import type { SetupContext } from '../../../../src/preflight/checks/check.ts';
import { organisation } from '../../../../src/preflight/checks/organisation.ts';
import { taoEnvFile } from '../../../../src/preflight/credentials.ts';
import { Setup } from '../../../../src/preflight/setup.ts';
import { ok } from '../../../../src/values/outcome.ts';
import type { SimOptions } from '../../../brev-sim/sim.ts';
import { type SimulatedCli, simulatedCli } from '../support/cli.ts';
import { fakeContext } from '../support/context.ts';
import { look, readings } from '../support/reading.ts';
import { put } from '../support/temporary-home.ts';

interface World extends SimulatedCli {
  readonly setup: Setup;
}

/** A user's machine with a simulated CLI, an ssh, and nothing else set up. */
async function world(
  t: TestContext,
  options: SimOptions = {},
  given: Partial<SetupContext> = {},
): Promise<World> {
  const cli = await simulatedCli(t, options);
  const { sim, run, brev, locate } = cli;
  await put(path.join(sim.home, 'bin', 'ssh'), '#!/bin/sh\n', 0o755);
  const environment = { ...sim.env, PATH: `${path.join(sim.home, 'bin')}:${sim.env.PATH}` };
  const context = fakeContext({ home: sim.home, environment, run, brev, locate, ...given });
  return { ...cli, setup: new Setup(context) };
}

const check = async ({ setup }: World) => readings(await setup.run());

/** Does what the fix of a line says, as a terminal would. */
async function inTerminal({ sim, run, setup }: World, id: string): Promise<void> {
  const fix = setup.lines.find((line) => line.id === id)?.result?.fix;
  assert.equal(fix?.kind, 'terminal');
  if (fix?.kind === 'terminal') {
    await setup.fix(async () => {
      const result = await run(sim.brevPath, { args: fix.args, env: sim.env, timeoutMs: 30_000 });
      assert.equal(result.kind, 'ok');
      return ok(undefined);
    });
  }
}

for (const dialect of ['public', 'tao'] as const) {
  it(`a machine of the ${dialect} dialect, from bare to all set up`, async (t) => {
    const its = await world(
      t,
      { dialect },
      { isExtensionInstalled: () => true, secrets: async () => 'a-key' },
    );
    await its.sim.addInstance({ name: 'gpu1' });
    await put(taoEnvFile(its.sim.home), '# nothing yet\n');

    const before = await check(its);
    assert.match(before.ssh ?? '', /^warning: .* \[brev refresh\]$/);
    assert.match(before.agentSkill ?? '', /^warning: .* \[brev agent-skill install\]$/);

    await inTerminal(its, 'ssh');
    await inTerminal(its, 'agentSkill');
    assert.deepEqual(readings(its.setup.lines), {
      cli: `passed: Found: ${its.sim.brevPath}.`,
      version: 'passed: Version 0.6.327.',
      signedIn: "passed: By the Brev CLI's own sign-in.",
      organisation: 'passed: research.',
      canList: 'passed: 1 instance.',
      ssh: 'passed: ssh knows the instances by their names.',
      remoteSsh: 'passed: Installed: instances can be opened in VS Code.',
      agentSkill: `passed: Installed: ${its.sim.home}/.claude/skills/brev-cli.`,
      envFile: `passed: ${taoEnvFile(its.sim.home)} is readable, and yours alone.`,
      token: "passed: Set in VS Code's secret storage: BREV_API_TOKEN.",
      ngcKey: "passed: Set in VS Code's secret storage: NGC_KEY.",
      hfToken: "passed: Set in VS Code's secret storage: HF_TOKEN.",
      s3Keys: "passed: Set in VS Code's secret storage: ACCESS_KEY, SECRET_KEY.",
      taoSdk: 'skipped: Not set up; only jobs through the TAO SDK need it. [brev.installSdk]',
      leptonWorkspace:
        'skipped: Not set up; only jobs on DGX Cloud Lepton need it. [brev.enterCredential LEPTON_WORKSPACE_TOKEN]',
      leptonToken: 'skipped: Checked once a Lepton workspace is set up.',
      leptonNodeGroups: 'skipped: Checked once Lepton accepts the token.',
    });
    const listOrganisations = dialect === 'tao' ? 'orgs --json' : 'ls orgs --json';
    const look = ['ls --json', listOrganisations];
    assert.deepEqual(await its.calls(), [...look, 'refresh', ...look, 'agent-skill install', ...look]);
  });
}

describe('without a usable CLI', () => {
  it('says that there is none, and does not ask it anything', async (t) => {
    const its = await world(t);
    await rm(its.sim.brevPath);
    const lines = await check(its);
    assert.match(lines.cli ?? '', /^failed: The Brev CLI is not installed.* \[brev\.installCli\]$/);
    assert.equal(lines.version, 'skipped: Checked once the Brev CLI is found.');
    for (const id of ['signedIn', 'canList']) {
      assert.equal(lines[id], 'skipped: Checked once there is a usable Brev CLI.');
    }
    assert.equal(lines.organisation, 'skipped: Checked once you are signed in.');
    assert.doesNotMatch(`${lines.ssh}${lines.agentSkill}`, /\[brev /, 'no fix that needs the CLI');
  });

  it('says where it found one that is not on the PATH', async (t) => {
    const its = await world(t, {}, { environment: { PATH: '/nowhere' } });
    assert.equal(
      (await check(its)).cli,
      `passed: Found: ${its.sim.brevPath}, which is not on the PATH that VS Code has.`,
    );
  });

  for (const [what, script] of [
    ['another program of that name', '#!/bin/sh\necho hello\n'],
    ['a file that is no program', 'not a script'],
    ['a script without its interpreter', '#!/no/such/interpreter\n'],
  ] as const) {
    it(`sees that it is ${what}`, async (t) => {
      const its = await world(t);
      await rm(its.sim.brevPath);
      await put(its.sim.brevPath, script, 0o755);
      const lines = await check(its);
      assert.equal(
        lines.version,
        'failed: The program that was found does not answer like the Brev CLI. [brev.choosePath]',
      );
      assert.equal(lines.signedIn, 'skipped: Checked once there is a usable Brev CLI.');
    });
  }
});

describe('the version', () => {
  for (const [version, expected] of [
    ['0.6.316', /^failed: .*0\.6\.316.*0\.6\.317.* \[brev\.installCli\]$/],
    ['0.6.317', /^warning: Version 0\.6\.317: every command .* 0\.6\.320 .* \[brev\.installCli\]$/],
    ['0.6.320', /^passed: Version 0\.6\.320\. .*0\.6\.323.*0\.6\.324.*0\.6\.327\.$/],
    ['0.6.323', /^passed: Version 0\.6\.323\. .*0\.6\.324.*0\.6\.327\.$/],
    ['0.6.324', /^passed: Version 0\.6\.324\. .*0\.6\.327\.$/],
    ['0.6.334', /^passed: Version 0\.6\.334\.$/],
  ] as const) {
    it(`${version} is told with what it lacks`, async (t) => {
      const its = await world(t, { version });
      const lines = await check(its);
      assert.match(lines.version ?? '', expected);
      const usable = !expected.source.startsWith('^failed');
      assert.match(lines.signedIn ?? '', usable ? /^passed/ : /^skipped/);
      if (!usable) {
        assert.deepEqual(await its.calls(), []);
      }
    });
  }

  it('is never asked for in a way that goes to the network or installs something', async (t) => {
    const its = await world(t);
    await check(its);
    const all = (await its.sim.calls()).map((call) => call.args.join(' '));
    assert.ok(all.includes('--version --no-check-latest'));
    assert.ok(!all.includes('--version'));
    assert.ok(!all.some((line) => line.startsWith('agent-skill')));
  });
});

describe('the sign-in', () => {
  it('is missing: one call finds out, and nothing else is asked', async (t) => {
    const its = await world(t, { signedIn: false });
    const lines = await check(its);
    assert.equal(lines.signedIn, 'failed: You are signed out of Brev. [brev.signIn]');
    assert.equal(lines.canList, 'skipped: Checked once you are signed in.');
    assert.equal(lines.organisation, 'skipped: Checked once you are signed in.');
    assert.deepEqual(await its.calls(), ['ls --json']);
  });

  for (const [source, words] of [
    ['environment', 'By the token in the environment, BREV_API_TOKEN.'],
    ['secretStore', "By the token in VS Code's secret storage."],
  ] as const) {
    it(`names the token in use: ${source}`, async (t) => {
      const its = await world(t, {}, { tokenInUse: () => ({ source, stale: false }) });
      assert.equal((await check(its)).signedIn, `passed: ${words}`);
    });
  }

  it('does not name a token that Brev refused', async (t) => {
    const its = await world(t, {}, { tokenInUse: () => ({ source: 'environment', stale: true }) });
    assert.equal((await check(its)).signedIn, "passed: By the Brev CLI's own sign-in.");
  });

  it('is there although a permission is refused', async (t) => {
    const its = await world(t);
    await its.sim.scenario([{ kind: 'http', status: 403, count: 'always' }]);
    const lines = await check(its);
    assert.match(lines.signedIn ?? '', /^passed: /);
    assert.match(lines.canList ?? '', /^failed: Your Brev account is not allowed/);
    assert.match(lines.organisation ?? '', /^unknown: Your Brev account is not allowed/);
  });

  for (const [what, fault] of [
    ['Brev cannot be reached', { kind: 'offline', count: 'always' }],
    ['Brev has a fault of its own', { kind: 'http', status: 500, count: 'always' }],
  ] as const) {
    it(`is unknown while ${what}`, async (t) => {
      const its = await world(t);
      await its.sim.scenario([fault]);
      const lines = await check(its);
      assert.match(lines.signedIn ?? '', /^unknown: Brev /);
      assert.match(lines.canList ?? '', /^failed: Brev /);
      assert.equal(lines.organisation, 'skipped: Checked once you are signed in.');
    });
  }

  it('by API key belongs to one organisation', async (t) => {
    const its = await world(t);
    const login = ['login', '--api-key', 'bak-x', '--org-id', 'org-research'];
    await its.run(its.sim.brevPath, { args: login, env: its.sim.env, timeoutMs: 30_000 });
    const lines = await check(its);
    assert.match(lines.signedIn ?? '', /^passed: /);
    assert.match(lines.organisation ?? '', /^passed: The one that your API key belongs to/);
  });
});

describe('the organisation', () => {
  it('is missing', async (t) => {
    const its = await world(t);
    await its.sim.cloud((cloud) => {
      cloud.orgs = [];
    });
    const lines = await check(its);
    assert.match(lines.signedIn ?? '', /^passed: /);
    assert.match(
      lines.organisation ?? '',
      /^failed: This account belongs to no organisation\. .* \[brev\.openConsole\]$/,
    );
    assert.match(lines.canList ?? '', /^failed: Brev knows no such organisation/);
  });

  const answering = (rows: unknown) =>
    fakeContext({
      brev: {
        dialect: async () => ok(readDialect({ version: '', help: '', create: '', login: '' })),
        execute: async (command) => command.parse({ stdout: JSON.stringify(rows), stderr: '' }),
      },
    });

  it('is the active one', async () => {
    const rows = [
      { id: 'o1', name: 'one' },
      { id: 'o2', name: 'two', is_active: true },
    ];
    assert.equal(await look(organisation, answering(rows)), 'passed: two.');
  });

  it('is the only one where none is marked, by its id where it has no name', async () => {
    assert.equal(await look(organisation, answering([{ id: 'o1' }])), 'passed: o1.');
  });

  it('is not chosen among several', async () => {
    assert.match(
      await look(organisation, answering([{ id: 'o1' }, { id: 'o2' }])),
      /^warning: None of your 2 organisations is the active one.* \[brev\.switchOrganisation\]$/,
    );
  });
});

describe('a CLI that hangs', () => {
  it('holds up nothing that does not need it, and leaves no result when the checks are cancelled', async (t) => {
    const its = await world(t);
    await its.sim.scenario([{ kind: 'hang', command: 'ls', count: 'always' }]);
    const others = new Set([
      'ssh',
      'remoteSsh',
      'agentSkill',
      'envFile',
      'token',
      'ngcKey',
      'hfToken',
      's3Keys',
    ]);
    const othersDone = new Promise<void>((resolve) => {
      its.setup.onChange(({ id, running }) => {
        if (!running && others.delete(id) && others.size === 0) {
          resolve();
        }
      });
    });
    const done = its.setup.run();
    await othersDone;
    its.setup.cancel();
    const lines = readings(await done);
    assert.equal(lines.signedIn, '');
    assert.equal(lines.canList, '');
  });
});
