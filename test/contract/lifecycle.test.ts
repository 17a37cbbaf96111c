import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyBrev, paidBrev, type SimBrev, simOnly } from './support/brev.ts';
import { eventually } from './support/eventually.ts';
import { parseRows } from './support/rows.ts';
import { plain } from './support/text.ts';

const statusOf = async ({ run }: Pick<SimBrev, 'run'>, name: string) =>
  parseRows((await run(['ls', '--json'])).stdout).find((row) => row.name === name)?.status;

anyBrev('delete has no flags and asks nothing', async ({ run }) => {
  for (const flag of ['--yes', '--force', '-y']) {
    const { code, stdout, stderr } = await run(['delete', 'no-such-instance-at-all', flag]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^unknown (flag: --|shorthand flag: 'y' in -y)/);
  }
});

anyBrev('delete and stop need a name; reset without one does nothing', async ({ run }) => {
  for (const command of ['delete', 'stop']) {
    const { code, stdout, stderr } = await run([command]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /instance name required/);
  }
  const { code, stdout } = await run(['reset']);
  assert.deepEqual([code, stdout], [0, '']);
});

anyBrev('unknown names: a multi-error with traces for delete and stop, plain for reset', async ({ run }) => {
  for (const command of ['delete', 'stop']) {
    const { code, stdout, stderr } = await run([command, 'no-such-instance-at-all']);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      plain(stderr),
      /^1 error occurred:\n\t\* instance with id\/name no-such-instance-at-all not found\n\n\n$/m,
    );
  }
  const { code, stderr } = await run(['reset', 'no-such-instance-at-all']);
  assert.equal(code, 1);
  assert.match(stderr, /instance with id\/name no-such-instance-at-all not found\n$/);
});

anyBrev('start of an unknown name succeeds', async ({ run }) => {
  const cwd = await mkdtemp(join(tmpdir(), 'brev-contract-'));
  const { code, stdout } = await run(['start', 'no-such-instance-at-all'], { cwd });
  assert.deepEqual(
    [code, stdout],
    [0, 'tried to start with local path but path not found\nno-such-instance-at-all\n'],
  );
});

anyBrev(
  'start of what is not stopped is refused with its status',
  async ({ run, running }) => {
    const { code, stderr } = await run(['start', running]);
    assert.equal(code, 1);
    assert.match(stderr, /Instance is not stopped status=RUNNING\n$/);
  },
  'running',
);

paidBrev(
  'start waits until it runs, and prints the name last',
  async ({ run, stopped }) => {
    const { code, stdout } = await run(['start', stopped]);
    assert.equal(code, 0);
    assert.ok(stdout.startsWith(`Instance ${stopped} is starting. \nNote: this can take about a minute. `));
    assert.match(stdout, /Your instance is ready!/);
    assert.ok(stdout.endsWith(`\n${stopped}\n`));
    assert.equal(await statusOf({ run }, stopped), 'RUNNING');
  },
  'stopped',
);

simOnly('start --detached returns while it starts', { speed: 1 }, async ({ sim, run }) => {
  await sim.addInstance({ name: 'a', status: 'STOPPED' });
  const { code, stdout } = await run(['start', 'a', '-d']);
  assert.equal(code, 0);
  assert.doesNotMatch(stdout, /ready!/);
  assert.equal((await sim.instance('a')).status, 'STARTING');
});

simOnly('delete: accepted by name or id; the name on a pipe, a sentence elsewhere', {}, async (brev) => {
  const { sim, run } = brev;
  const { home } = await sim.addInstance({ name: 'a' });
  const { id } = await sim.addInstance({ name: 'b' });
  const byName = await run(['delete', 'a']);
  assert.deepEqual([byName.code, byName.stdout, byName.stderr], [0, 'a\n', '']);
  const byId = await run(['delete', id]);
  assert.deepEqual([byId.code, byId.stdout], [0, `${id}\n`]);
  assert.ok(!existsSync(home));
  await eventually(async () => (await statusOf(brev, 'a')) === undefined);
});

simOnly('deleting shows as DELETING, and deleting it again is fine', { speed: 1 }, async (brev) => {
  await brev.sim.addInstance({ name: 'a' });
  await brev.run(['delete', 'a']);
  assert.equal(await statusOf(brev, 'a'), 'DELETING');
  const again = await brev.run(['delete', 'a']);
  assert.deepEqual([again.code, again.stdout], [0, 'a\n']);
});

simOnly(
  'a bad name among good ones: the good ones are deleted, stdout is empty, exit 1',
  {},
  async (brev) => {
    const { sim, run } = brev;
    for (const name of ['c', 'd', 'e']) await sim.addInstance({ name });
    const { code, stdout, stderr } = await run(['delete', 'c', 'nosuch', 'd', 'nosuch2']);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^2 errors occurred:\n\t\* /);
    const left = async () => parseRows((await run(['ls', '--json'])).stdout);
    await eventually(async () => (await left()).length === 1);
    assert.equal((await left())[0]?.name, 'e');
  },
);

simOnly(
  'names are exact and only own ones count; of two alike the first goes',
  { speed: 1 },
  async ({ sim, run }) => {
    const first = await sim.addInstance({ name: 'twin' });
    const second = await sim.addInstance({ name: 'twin' });
    await sim.addInstance({ name: 'theirs', owner: 'user-other' });
    assert.equal((await run(['delete', 'TWIN'])).code, 1);
    assert.equal((await run(['delete', 'theirs'])).code, 1);
    assert.equal((await run(['delete', 'twin'])).code, 0);
    assert.equal((await sim.instance(first.id)).status, 'DELETING');
    assert.equal((await sim.instance(second.id)).status, 'RUNNING');
  },
);

simOnly('names piped in are deleted too', {}, async ({ sim, run }) => {
  for (const name of ['a', 'b', 'c']) await sim.addInstance({ name });
  const { code, stdout } = await run(['delete', 'a'], { stdin: { text: 'b\nc\n' } });
  assert.deepEqual([code, stdout], [0, 'a\nb\nc\n']);
});

simOnly('a delete may be accepted and the row stay', {}, async (brev) => {
  await brev.sim.addInstance({ name: 'a' });
  await brev.sim.scenario([{ kind: 'delete-lingers', command: 'delete', lists: 2 }]);
  assert.equal((await brev.run(['delete', 'a'])).code, 0);
  assert.equal(await statusOf(brev, 'a'), 'RUNNING');
  assert.equal(await statusOf(brev, 'a'), 'RUNNING');
  assert.equal(await statusOf(brev, 'a'), undefined);
});

simOnly('stop: STOPPING, then STOPPED; the home stays, and again is fine', {}, async (brev) => {
  const { sim, run } = brev;
  const { home } = await sim.addInstance({ name: 'a' });
  await writeFile(join(home, 'kept'), '');
  const { code, stdout, stderr } = await run(['stop', 'a']);
  assert.deepEqual([code, stdout, stderr], [0, 'a\n', '']);
  await eventually(async () => (await statusOf(brev, 'a')) === 'STOPPED');
  assert.ok(existsSync(join(home, 'kept')));
  assert.deepEqual((await run(['stop', 'a'])).stdout, 'a\n');
  assert.equal((await run(['start', 'a'])).code, 0);
  assert.ok(existsSync(join(home, 'kept')));
});

simOnly('what cannot be stopped says so, also where the types list is down', {}, async (brev) => {
  const { sim, run } = brev;
  await sim.addInstance({ name: 'fixed', type: 'massedcompute_L40S' });
  await sim.addInstance({ name: 'a' });
  const fixed = await run(['stop', 'fixed']);
  assert.deepEqual([fixed.code, fixed.stdout], [1, '']);
  assert.match(fixed.stderr, /instance "fixed" does not support stop\./);
  await sim.scenario([{ kind: 'types-down', command: 'stop' }]);
  assert.match((await run(['stop', 'a'])).stderr, /instance "a" does not support stop\./);
  assert.equal(await statusOf(brev, 'a'), 'RUNNING');
});

simOnly(
  'stop --all takes all that can be stopped; on a pipe it is silent about nothing',
  {},
  async (brev) => {
    const { sim, run } = brev;
    await sim.addInstance({ name: 'fixed', type: 'massedcompute_L40S' });
    assert.deepEqual((await run(['stop', '--all'])).stdout, '');
    await sim.addInstance({ name: 'a' });
    assert.equal((await run(['stop', '--all'])).code, 0);
    assert.equal(await statusOf(brev, 'fixed'), 'RUNNING');
    await eventually(async () => (await statusOf(brev, 'a')) === 'STOPPED');
  },
);

simOnly('reset gives a fresh machine under the same name and id', {}, async (brev) => {
  const { sim, run } = brev;
  const { id, home } = await sim.addInstance({ name: 'a' });
  await writeFile(join(home, 'lost'), '');
  const { code, stdout } = await run(['reset', 'a']);
  assert.equal(code, 0);
  assert.match(stdout, /^Instance a is resetting\.\nNote: /);
  assert.ok(!existsSync(join(home, 'lost')));
  await eventually(async () => (await statusOf(brev, 'a')) === 'RUNNING');
  assert.equal((await sim.instance('a')).id, id);
});

simOnly(
  "start makes a new machine from a repository folder, a URL, or a colleague's name",
  {},
  async ({ sim, run }) => {
    const cwd = await mkdtemp(join(tmpdir(), 'brev-contract-'));
    await mkdir(join(cwd, 'project', '.git'), { recursive: true });
    await writeFile(
      join(cwd, 'project', '.git', 'config'),
      '[remote "origin"]\n\turl = https://example.com/p.git\n',
    );
    await sim.addInstance({ name: 'theirs', owner: 'user-other' });
    for (const word of ['project', 'https://github.com/owner/repo.git', 'theirs']) {
      const before = (await sim.instances()).length;
      assert.equal((await run(['start', word, '-d'], { cwd })).code, 0, word);
      assert.equal((await sim.instances()).length, before + 1, word);
    }
  },
);

simOnly('several names piped into start are a batch that never waits', { speed: 1 }, async ({ sim, run }) => {
  for (const name of ['a', 'b']) await sim.addInstance({ name, status: 'STOPPED' });
  const { code, stdout } = await run(['start'], { stdin: { text: 'a\nb\n' } });
  assert.equal(code, 0);
  assert.match(stdout, /a\nb\n$/);
  assert.equal((await sim.instance('b')).status, 'STARTING');
});

simOnly('a start that finds no capacity', {}, async (brev) => {
  await brev.sim.addInstance({ name: 'a', status: 'STOPPED' });
  await brev.sim.scenario([{ kind: 'rejected', command: 'start', message: 'no capacity for g6e.xlarge' }]);
  const { code, stderr } = await brev.run(['start', 'a']);
  assert.equal(code, 1);
  assert.match(stderr, /^no capacity for g6e\.xlarge$/m);
  assert.equal(await statusOf(brev, 'a'), 'STOPPED');
});

simOnly('start of a launchable URL is a panic', {}, async ({ run }) => {
  const url = 'https://brev.example/launchable/deploy/now?launchableID=env-1';
  const { code, stderr } = await run(['start', url]);
  assert.equal(code, 2);
  assert.match(stderr, /^panic: invalid launchable URL/m);
});
