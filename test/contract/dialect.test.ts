import assert from 'node:assert/strict';
import { anyBrev, simOnly } from './support/brev.ts';

const TAO_FLAGS = ['--gpu', '--cloud-cred-id', '--workspace-group-id'];

anyBrev('the flags of the TAO dialect are either all in the help of create, or unknown', async ({ run }) => {
  const { stdout } = await run(['create', '--help']);
  const shown = TAO_FLAGS.filter((flag) => new RegExp(`^ +(-\\w, )?${flag} `, 'm').test(stdout));
  if (shown.length === TAO_FLAGS.length) return;
  assert.deepEqual(shown, []);
  for (const flag of TAO_FLAGS) {
    const { code, stderr } = await run(['create', 'x', flag, 'y', '--dry-run']);
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`unknown flag: ${flag}\\n$`));
  }
});

simOnly('public: no orgs command, no group in the rows', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'a' });
  assert.match((await run(['orgs', '--json'])).stderr, /^unknown command "orgs" for "brev"\n$/);
  assert.doesNotMatch((await run(['ls', '--json'])).stdout, /workspaceGroupId/);
});

simOnly('TAO: placement is found, needed and taken', { dialect: 'tao' }, async ({ sim, run }) => {
  const plain = await run(['create', 'x', '--gpu', 'L40S:1', '-d']);
  assert.deepEqual([plain.code, plain.stdout], [1, '']);
  assert.match(plain.stderr, /placement/i);
  assert.match(plain.stderr, /cloud-?cred-?id/i);
  assert.match(plain.stderr, /workspace-?group-?id/i);
  const orgs = JSON.parse((await run(['orgs', '--json'])).stdout);
  const credential: string = orgs[0].cloudCredentials[0].id;
  await sim.addInstance({ name: 'older' });
  const group: string = JSON.parse((await run(['ls', '--json'])).stdout).workspaces[0].workspaceGroupId;
  const placed = ['--cloud-cred-id', credential, '--workspace-group-id', group];
  const { code, stdout } = await run(['create', 'x', '--gpu', 'L40S:1', ...placed, '-d']);
  assert.deepEqual([code, stdout], [0, 'x\n']);
  const wrong = await run([
    'create',
    'y',
    '--gpu',
    'L40S:1',
    '--cloud-cred-id',
    'no-such',
    ...placed.slice(2),
    '-d',
  ]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /placement/);
  let made: unknown;
  await sim.cloud((cloud) => {
    made = cloud.instances.find(({ name }) => name === 'x');
  });
  assert.partialDeepStrictEqual(made, { cloudCredId: credential, workspaceGroupId: group });
});

simOnly(
  'TAO: an account with one credential and group needs no placement',
  { dialect: 'tao' },
  async ({ sim, run }) => {
    await sim.cloud(({ placement }) => {
      placement.cloudCredentials.splice(1);
      placement.workspaceGroups.splice(1);
    });
    assert.equal((await run(['create', 'x', '--gpu', 'H100:8', '-d'])).stdout, 'x\n');
  },
);

simOnly('TAO: words after -- are one command', { dialect: 'tao' }, async ({ sim, run }) => {
  await sim.addInstance({ name: 'gpu1' });
  await run(['refresh']);
  const { code, stdout } = await run(['exec', 'gpu1', '--', 'bash', '-c', 'echo "$1 $2"', 'x', 'a b', 'c']);
  assert.deepEqual([code, stdout], [0, 'a b c\ngpu1\n']);
  assert.equal((await run(['exec', 'gpu1', '--', 'echo one; echo two'])).stdout, 'one\ntwo\ngpu1\n');
});

simOnly(
  'TAO: a token in the environment is no login',
  { dialect: 'tao', signedIn: false },
  async ({ run }) => {
    const { code, stdout, stderr } = await run(['ls', '--json'], { env: { BREV_API_TOKEN: 'x' } });
    assert.equal(code, 1);
    assert.match(stdout, /logged out/);
    assert.match(stderr, /EOF\n$/);
  },
);
