import assert from 'node:assert/strict';
import { anyBrev, simOnly } from './support/brev.ts';
import { eventually } from './support/eventually.ts';
import { lastLine } from './support/text.ts';

anyBrev('bare brev prints its usage to stderr, --help to stdout; both succeed', async ({ run }) => {
  const bare = await run([]);
  assert.deepEqual([bare.code, bare.stdout], [0, '']);
  assert.match(bare.stderr, /^Usage:\n {2}brev/m);
  const help = await run(['--help']);
  assert.deepEqual([help.code, help.stderr], [0, '']);
  assert.match(help.stdout, /^Usage:\n {2}brev/m);
});

anyBrev('usage errors are one line on stderr, exit 1, no usage text', async ({ run }) => {
  for (const [args, message] of [
    [['no-such-command'], 'unknown command "no-such-command" for "brev"'],
    [['version'], 'unknown command "version" for "brev"'],
    [['ls', '--no-such-flag'], 'unknown flag: --no-such-flag'],
    [['ls', '-x'], "unknown shorthand flag: 'x' in -x"],
    [['copy', 'one'], 'accepts 2 arg(s), received 1'],
    [['exec'], 'requires at least 1 arg(s), only received 0'],
    [['search', '--min-vram'], 'flag needs an argument: --min-vram'],
  ] as const) {
    const { code, stdout, stderr } = await run([...args]);
    assert.deepEqual([code, stdout], [1, ''], args.join(' '));
    assert.equal(lastLine(stderr), message);
    assert.doesNotMatch(stderr, /Usage:/);
  }
});

for (const command of ['exec', 'delete', 'stop', 'start', 'create', 'open']) {
  simOnly(`${command} reads stdin to its end before it does anything`, {}, async ({ sim, run, start }) => {
    await sim.addInstance({ name: 'a' });
    await run(['refresh']);
    const words = { exec: ['exec', 'a', 'true'], create: ['create', 'fresh', '-d', '--type', 'g5.xlarge'] };
    const args = command === 'exec' || command === 'create' ? words[command] : [command, 'a'];
    const brev = start(args, { stdin: 'open' });
    const logged = async () => (await sim.calls()).find((call) => call.pid === brev.pid);
    await eventually(async () => (await logged()) !== undefined);
    // Another whole call passes by; this one, begun before, hasn't acted.
    const other = await run(['ls', '--json']);
    assert.match(other.stdout, /"status": "RUNNING"/);
    assert.doesNotMatch(other.stdout, /"fresh"/);
    assert.equal(brev.child.exitCode, null);
    assert.equal(brev.stdout(), '');
    brev.child.stdin?.end();
    await brev.ended;
    const call = await logged();
    assert.equal(call?.stdin, 'socket', "Node's default stdin is a socket");
    assert.notEqual(call?.exitCode, null);
  });
}

simOnly('ls, search, set, refresh, copy and port-forward leave stdin alone', {}, async ({ sim, start }) => {
  await sim.addInstance({ name: 'a' });
  for (const args of [
    ['ls', '--json'],
    ['search', '--json'],
    ['set', 'research'],
    ['refresh'],
    ['ls', 'orgs'],
  ]) {
    assert.equal((await start(args, { stdin: 'open' }).ended).code, 0, args.join(' '));
  }
});

simOnly('spinner frames go to stderr though it is no terminal', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'a', status: 'STOPPED' });
  const { stdout, stderr } = await run(['exec', 'a', 'true']);
  assert.ok(stderr.includes('\u001b[K\r⣾ waiting for instance to be ready... '));
  assert.ok(!stdout.includes('\r'));
});

simOnly('without HOME every command warns on stdout and fails', {}, async ({ run }) => {
  for (const args of [
    ['ls', '--json'],
    ['search', '--json'],
  ]) {
    const { code, stdout } = await run(args, { env: { HOME: undefined } });
    assert.equal(code, 1);
    assert.match(stdout, /^Warning: .*\$HOME is not defined/);
  }
});

simOnly('what an interfering cloud may do to any command', {}, async ({ sim, run, start }) => {
  await sim.scenario([
    { kind: 'panic', message: 'invalid launchable URL', command: 'start' },
    { kind: 'surround', before: 'hello\n', after: 'bye\n', command: 'ls' },
    { kind: 'truncate', bytes: 5, command: 'ls', nth: 2 },
    { kind: 'blank', command: 'ls', nth: 3 },
    { kind: 'error', stderr: 'boom\n', stdout: 'half', exitCode: 1, command: 'ls', nth: 4 },
    { kind: 'hang', spinner: 'waiting', command: 'ls', nth: 5 },
  ]);
  const panic = await run(['start', 'x']);
  assert.equal(panic.code, 2);
  assert.match(panic.stderr, /^panic: invalid launchable URL\n\ngoroutine 1 \[running\]:\n/);
  const whole = '{\n  "workspaces": null\n}\n';
  assert.equal((await run(['ls', '--json'])).stdout, `hello\n${whole}bye\n`);
  assert.equal((await run(['ls', '--json'])).stdout, whole.slice(0, 5));
  const blank = await run(['ls', '--json']);
  assert.deepEqual([blank.code, blank.stdout], [0, '']);
  const error = await run(['ls', '--json']);
  assert.deepEqual([error.code, error.stdout, error.stderr], [1, 'half', 'boom\n']);
  const hang = start(['ls', '--json']);
  await hang.until('stderr', /waiting/);
  hang.child.kill('SIGTERM');
  assert.equal((await hang.ended).signal, 'SIGTERM');
  assert.equal((await run(['ls', '--json'])).stdout, whole);
});
