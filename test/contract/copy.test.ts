import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyBrev, simOnly } from './support/brev.ts';
import { eventually } from './support/eventually.ts';

const RULE =
  /exactly one of source or destination must be an instance path \(format: instance_name:\/path\)\n$/;
const scratch = () => mkdtemp(join(tmpdir(), 'brev-contract-'));

anyBrev('exactly one path is remote', async ({ run }) => {
  for (const paths of [
    ['a', 'b'],
    ['x:a', 'y:b'],
    ['C:\\file', 'x:b'],
  ]) {
    const { code, stdout, stderr } = await run(['copy', ...paths]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, RULE);
  }
});

anyBrev('a local file that is missing is noticed first; an unknown instance by name', async ({ run }) => {
  const missing = await run(['copy', '/no/such/file', 'no-such-instance-at-all:x']);
  assert.deepEqual([missing.code, missing.stdout], [1, '']);
  assert.match(missing.stderr, /local file or directory does not exist: \/no\/such\/file\n$/);
  const unknown = await run(['copy', 'no-such-instance-at-all:x', '.']);
  assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /instance with id\/name no-such-instance-at-all not found\n$/);
});

anyBrev(
  'there and back: the summary on stdout, the spinner on stderr, no name',
  async ({ run, running }) => {
    const dir = await scratch();
    const name = `brev-contract-${process.pid}.txt`;
    await writeFile(join(dir, name), 'content');
    const up = await run(['copy', join(dir, name), `${running}:${name}`]);
    assert.equal(up.code, 0);
    assert.match(
      up.stdout,
      new RegExp(`^\\n✓ Successfully copied \\S+ → ${running}:${name} \\([^)]+\\)\\n\\n$`),
    );
    assert.match(up.stderr, /[⠀-⣿]/u);
    const down = await run(['scp', `${running}:~/${name}`, join(dir, 'back')]);
    assert.equal(down.code, 0);
    assert.equal(await readFile(join(dir, 'back'), 'utf8'), 'content');
    await run(['exec', running, `rm ${name}`]);
  },
  'running',
);

anyBrev(
  'a remote file that is missing: what scp said',
  async ({ run, running }) => {
    const { code, stdout, stderr } = await run(['copy', `${running}:no-such-file`, await scratch()]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /scp failed: exit status 1\nOutput: [^\n]*no-such-file: No such file or directory/);
  },
  'running',
);

simOnly('folders and spaces, relative to the home', {}, async ({ sim, run }) => {
  const { home } = await sim.addInstance({ name: 'gpu1' });
  const dir = await scratch();
  await mkdir(join(dir, 'data'));
  await writeFile(join(dir, 'data', 'a b.txt'), 'x');
  assert.equal((await run(['copy', join(dir, 'data'), 'gpu1:new'])).code, 0);
  assert.equal(await readFile(join(home, 'new', 'a b.txt'), 'utf8'), 'x');
  assert.equal((await run(['copy', join(dir, 'data'), 'gpu1:new'])).code, 0);
  assert.equal(await readFile(join(home, 'new', 'data', 'a b.txt'), 'utf8'), 'x', 'nested as scp does');
  assert.equal((await run(['copy', join(dir, 'data'), 'gpu1:absent/'])).code, 1);
  assert.equal((await run(['copy', 'gpu1:new/a b.txt', join(dir, 'got')])).code, 0);
  assert.equal((await run(['copy', 'gpu1:new', join(dir, 'tree')])).code, 0);
  assert.equal(await readFile(join(dir, 'tree', 'data', 'a b.txt'), 'utf8'), 'x');
});

simOnly('copy starts a stopped instance', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'off', status: 'STOPPED' });
  const dir = await scratch();
  await writeFile(join(dir, 'f'), 'x');
  const { code, stdout } = await run(['copy', join(dir, 'f'), 'off:f']);
  assert.equal(code, 0);
  assert.match(stdout, /^Instance off is starting\. \n/);
  assert.equal((await sim.instance('off')).status, 'RUNNING');
});

simOnly('copy waits without limit for what is not running', {}, async ({ sim, start }) => {
  await sim.addInstance({ name: 'stuck', status: 'DEPLOYING' });
  const dir = await scratch();
  await writeFile(join(dir, 'f'), 'x');
  const copy = start(['copy', join(dir, 'f'), 'stuck:f']);
  await copy.until('stderr', /waiting for instance to be ready/);
  await sim.update('stuck', { status: 'RUNNING' });
  assert.equal((await copy.ended).code, 0);
});

simOnly('copy while sshd refuses is given up', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'gpu1', ssh: 'refused' });
  const { code, stdout, stderr } = await run(['copy', 'gpu1:f', '.']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /Connection refused/);
});

simOnly("shell: an agent first, the caller's stdin, the code in the last line", {}, async ({ sim, run }) => {
  const { home } = await sim.addInstance({ name: 'gpu1' });
  const good = await run(['shell', 'gpu1'], { stdin: { text: 'pwd\n' } });
  assert.equal(good.code, 0);
  assert.match(good.stdout, /^Agent pid \d+\n/);
  assert.ok(good.stdout.endsWith(`${home}\n`));
  const bad = await run(['shell', 'gpu1'], { stdin: { text: 'exit 5\n' } });
  assert.equal(bad.code, 1);
  assert.match(
    bad.stderr,
    /brev shell failed\. If the above SSH error is unclear, try running 'brev refresh' and reconnecting\.\nexit status 5\n$/,
  );
  assert.equal((await sim.leakedAgents()).length, 2);
  const many = await run(['shell', 'gpu1', 'ls']);
  assert.deepEqual([many.code, many.stderr], [1, 'accepts 1 arg(s), received 2\n']);
  await eventually(async () => (await sim.remoteProcesses('gpu1')).length === 0);
});
