import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { anyBrev, simOnly } from './support/brev.ts';

anyBrev('--version --no-check-latest is one line on stdout', async ({ run }) => {
  const { code, stdout, stderr } = await run(['--version', '--no-check-latest']);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^Current Version: v\d+\.\d+\.\d+\S*\n$/);
});

anyBrev('--help of the commands in use, on stdout, with their flags', async ({ run }) => {
  for (const [command, flags] of [
    ['ls', ['--json', '--all', '--org']],
    [
      'search',
      ['--json', '--gpu-name', '--min-vram', '--provider', '--sort', '--desc', '--wide', '--stoppable'],
    ],
    [
      'create',
      [
        '--type',
        '--count',
        '--detached',
        '--timeout',
        '--dry-run',
        '--mode',
        '--startup-script',
        '--min-disk',
      ],
    ],
    ['exec', ['--host']],
    ['copy', ['--host']],
    ['port-forward', ['--port']],
    ['login', ['--token', '--skip-browser', '--email']],
    ['start', ['--detached', '--gpu']],
    ['stop', ['--all']],
    ['delete', []],
    ['agent-skill', []],
  ] as const) {
    const { code, stdout, stderr } = await run([command, '--help']);
    assert.deepEqual([code, stderr], [0, ''], command);
    assert.match(stdout, /^Usage:\n {2}brev /m, command);
    for (const flag of flags)
      assert.match(stdout, new RegExp(`^ +(-\\w, )?${flag}\\b`, 'm'), `${command} ${flag}`);
  }
});

simOnly(
  'a newer version is announced on stdout, only when asked for the version',
  {},
  async ({ sim, run }) => {
    await sim.cloud((cloud) => {
      cloud.latestVersion = '0.6.400';
    });
    const { code, stdout } = await run(['--version']);
    assert.equal(code, 0);
    assert.equal(
      stdout,
      'A new version of brev has been released!\nCurrent version: v0.6.327\nNew Version: v0.6.400\nTo update to latest version run:\n\nbrev upgrade\n',
    );
    assert.equal((await run(['ls', '--json'])).stderr, '');
  },
);

simOnly(
  'before 0.6.323 ls --json is a bare array, null when empty',
  { version: '0.6.322' },
  async ({ sim, run }) => {
    assert.equal((await run(['ls', '--json'])).stdout, 'null\n');
    await sim.addInstance({ name: 'a' });
    const rows = JSON.parse((await run(['ls', '--json'])).stdout);
    assert.ok(Array.isArray(rows));
    assert.equal(rows[0].name, 'a');
  },
);

simOnly('from 0.6.323 on it is an object', { version: '0.6.323' }, async ({ run }) => {
  assert.equal((await run(['ls', '--json'])).stdout, '{\n  "workspaces": null\n}\n');
});

simOnly('0.6.317 checks no names', { version: '0.6.317' }, async ({ run }) => {
  assert.equal((await run(['create', 'a b', '-d', '--type', 'g5.xlarge'])).code, 0);
});

simOnly(
  'before 0.6.327 bad types are refused by the service, and stop asks nobody',
  { version: '0.6.326' },
  async ({ sim, run }) => {
    const { code, stderr } = await run(['create', 'x', '-d', '--type', 'no-such-1']);
    assert.equal(code, 1);
    assert.doesNotMatch(stderr, /^Skipping: /m);
    assert.match(stderr, /^\[Worker 1\] no-such-1 Failed: /m);
    await sim.addInstance({ name: 'fixed', type: 'massedcompute_L40S' });
    assert.deepEqual((await run(['stop', 'fixed'])).stdout, 'fixed\n');
  },
);

simOnly('commands and flags come and go with versions', { version: '0.6.317' }, async ({ run }) => {
  for (const command of ['upgrade', 'analytics']) {
    assert.match((await run([command])).stderr, /^unknown command /);
  }
  assert.equal((await run(['workspacegroups'])).code, 0);
  assert.doesNotMatch((await run(['create', '--help'])).stdout, /--launchable/);
});

simOnly('today there is neither recreate nor workspacegroups', {}, async ({ run }) => {
  for (const command of ['recreate', 'workspacegroups']) {
    assert.match((await run([command])).stderr, /^unknown command /);
  }
});

simOnly('agent-skill installs, even without a word', {}, async ({ sim, run }) => {
  const skill = join(sim.home, '.claude', 'skills', 'brev-cli', 'SKILL.md');
  assert.equal((await run(['agent-skill', '--help'])).code, 0);
  assert.ok(!existsSync(skill));
  assert.equal((await run(['agent-skill'])).code, 0);
  assert.ok(existsSync(skill));
  assert.equal((await run(['agent-skill', 'uninstall'])).code, 0);
  assert.ok(!existsSync(skill));
  assert.equal((await run(['agent-skill', 'install'])).code, 0);
  assert.ok(existsSync(skill));
});

simOnly('analytics send whole command lines unless exactly 1 opts out', {}, async ({ sim, run }) => {
  for (const env of [{ DO_NOT_TRACK: '1' }, { DO_NOT_TRACK: '', BREV_NO_ANALYTICS: '1' }]) {
    await run(['exec', 'x', 'secret-one'], { env });
  }
  assert.equal(await sim.analytics(), '');
  await run(['exec', 'x', 'secret-two'], { env: { DO_NOT_TRACK: 'true' } });
  assert.match(await sim.analytics(), /secret-two/);
});

simOnly('open --set-default drops an analytics opt-out', {}, async ({ sim, run }) => {
  const env = { DO_NOT_TRACK: '' };
  await run(['analytics', 'off']);
  await run(['ls'], { env });
  assert.equal(await sim.analytics(), '');
  await run(['open', '--set-default', 'cursor']);
  await run(['ls'], { env });
  assert.match(await sim.analytics(), /"ls"/);
});
