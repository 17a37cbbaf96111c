import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SimBrev, simOnly } from './support/brev.ts';

const brevDir = ({ sim }: SimBrev) => join(sim.home, '.brev');
const configOf = async (brev: SimBrev) => await readFile(join(brevDir(brev), 'ssh_config'), 'utf8');
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

simOnly('refresh says two lines and writes the key and the config', {}, async (brev) => {
  await brev.sim.addInstance({ name: 'gpu1' });
  const { code, stdout, stderr } = await brev.run(['refresh']);
  assert.deepEqual([code, stdout, stderr], [0, 'refreshing brev...\nbrev has been refreshed\n', '']);
  assert.equal(await modeOf(join(brevDir(brev), 'brev.pem')), 0o600);
  assert.equal(await modeOf(join(brevDir(brev), 'ssh_config')), 0o644);
  assert.equal(await modeOf(join(brevDir(brev), 'cloudflared')), 0o755);
});

simOnly('two blocks for each RUNNING instance, none for others', {}, async (brev) => {
  await brev.sim.addInstance({ name: 'gpu1' });
  await brev.sim.addInstance({ name: 'off', status: 'STOPPED' });
  await brev.sim.addInstance({ name: 'theirs', owner: 'user-other' });
  await brev.run(['refresh']);
  const config = await configOf(brev);
  assert.deepEqual(config.match(/^Host .+$/gm), ['Host gpu1', 'Host gpu1-host']);
  const block = config.split(/^Host /m)[1] ?? '';
  for (const field of [
    /^ +Hostname \S+$/m,
    /^ +Port \d+$/m,
    /^ +User \S+$/m,
    new RegExp(`^ +IdentityFile "${brevDir(brev)}/brev\\.pem"$`, 'm'),
    /^ +IdentitiesOnly yes$/m,
    /^ +StrictHostKeyChecking no$/m,
    /^ +UserKnownHostsFile \/dev\/null$/m,
    /^ +PasswordAuthentication no$/m,
    /^ +AddKeysToAgent yes$/m,
    /^ +ForwardAgent yes$/m,
    /^ +RequestTTY yes$/m,
    /^ +ServerAliveInterval 30$/m,
    /^ +ControlMaster auto$/m,
    /^ +ControlPath ~\/\.ssh\/brev-control-%C$/m,
    /^ +ControlPersist 10m$/m,
  ]) {
    assert.match(block, field);
  }
});

simOnly("the Include line comes first, once; the rest of the user's config stays", {}, async (brev) => {
  const config = join(brev.sim.home, '.ssh', 'config');
  const line = `Include "${brevDir(brev)}/ssh_config"`;
  await brev.run(['refresh']);
  assert.equal(await readFile(config, 'utf8'), `${line}\n`);
  assert.equal(await modeOf(config), 0o644);
  await writeFile(config, 'Include ~/.brev/ssh_config\nHost mine\n');
  await brev.run(['refresh']);
  await brev.run(['refresh']);
  assert.equal(await readFile(config, 'utf8'), `${line}\nInclude ~/.brev/ssh_config\nHost mine\n`);
});

simOnly(
  'ControlPath was made of user, host and port before 0.6.323',
  { version: '0.6.322' },
  async (brev) => {
    await brev.sim.addInstance({ name: 'gpu1' });
    await brev.run(['refresh']);
    assert.match(await configOf(brev), /^ +ControlPath ~\/\.ssh\/brev-control-%r@%h-%p$/m);
  },
);

simOnly('no other command touches the ssh config', {}, async (brev) => {
  await brev.sim.addInstance({ name: 'gpu1' });
  for (const args of [
    ['create', 'x', '-d', '--type', 'g5.xlarge'],
    ['ls'],
    ['stop', 'gpu1'],
    ['delete', 'x'],
  ]) {
    assert.equal((await brev.run(args)).code, 0);
  }
  assert.ok(!existsSync(join(brevDir(brev), 'ssh_config')));
});

simOnly('one RUNNING instance without an ssh user fails the refresh for all', {}, async (brev) => {
  await brev.sim.addInstance({ name: 'fine' });
  const { id } = await brev.sim.addInstance({ name: 'bad', sshUser: '' });
  const { code, stdout, stderr } = await brev.run(['refresh']);
  assert.deepEqual([code, stdout], [1, 'refreshing brev...\n']);
  assert.match(stderr, new RegExp(`workspace ${id} has empty SSH user \\(workspace may not be running\\)`));
});

simOnly('cloudflared that cannot be fetched fails it too; no orgs is a panic', {}, async (brev) => {
  await brev.sim.scenario([{ kind: 'no-cloudflared', command: 'refresh' }]);
  const { code, stderr } = await brev.run(['refresh']);
  assert.equal(code, 1);
  assert.match(stderr, /Get "https:\/\/github\.com\/cloudflare\/cloudflared\/releases\/download\//);
  await brev.sim.cloud((cloud) => {
    cloud.orgs = [];
  });
  const panic = await brev.run(['refresh']);
  assert.equal(panic.code, 2);
  assert.match(panic.stderr, /^panic: /m);
});

simOnly('run-tasks rewrites until SIGTERM, then exits 0; -d panics', {}, async (brev) => {
  await mkdir(brevDir(brev), { recursive: true });
  const tasks = brev.start(['run-tasks']);
  const { eventually } = await import('./support/eventually.ts');
  await eventually(() => existsSync(join(brevDir(brev), 'ssh_config')));
  tasks.child.kill('SIGTERM');
  assert.equal((await tasks.ended).code, 0);
  assert.equal((await brev.run(['run-tasks', '-d'])).code, 2);
});
