import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { paidBrev, simOnly } from './support/brev.ts';
import { lastLine, plain } from './support/text.ts';

paidBrev(
  'exec starts a stopped instance, says so on stdout, and runs the command once',
  async ({ run, stopped }) => {
    const { code, stdout, stderr } = await run(['exec', stopped, 'echo up']);
    assert.deepEqual([code, stdout], [0, `Instance ${stopped} is starting. \n\nup\n${stopped}\n`]);
    assert.match(stderr, /^Connection failed, checking instance status\.\.\.$/m);
  },
  'stopped',
);

simOnly('the first exec after a create takes the slow path once', {}, async ({ run }) => {
  await run(['create', 'fresh', '--type', 'g5.xlarge']);
  const first = await run(['exec', 'fresh', 'echo hi']);
  assert.deepEqual([first.code, first.stdout], [0, 'hi\nfresh\n']);
  assert.match(first.stderr, /^ssh: Could not resolve hostname fresh: /m);
  assert.match(first.stderr, /^Connection failed, checking instance status\.\.\.$/m);
  const second = await run(['exec', 'fresh', 'echo hi']);
  assert.deepEqual([second.code, second.stdout, second.stderr], [0, 'hi\nfresh\n', '']);
});

simOnly('by id it works, but always by the slow path', {}, async ({ sim, run }) => {
  const { id } = await sim.addInstance({ name: 'gpu1' });
  await run(['refresh']);
  for (let round = 0; round < 2; round++) {
    const { code, stdout, stderr } = await run(['exec', id, 'echo hi']);
    assert.equal(code, 0);
    assert.match(stdout, /^hi\n/);
    assert.match(stderr, /^Connection failed, checking instance status\.\.\.$/m);
  }
});

simOnly('states that refuse: at once, by name and state', {}, async ({ sim, run }) => {
  for (const status of ['DEPLOYING', 'STARTING', 'STOPPING', 'FAILURE', 'DELETING', 'ODD']) {
    await sim.addInstance({ name: `i-${status}`, status });
    const { code, stdout, stderr } = await run(['exec', `i-${status}`, 'true']);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      new RegExp(`instance "i-${status}" is in state "${status}" — please check with: brev ls\\n$`),
    );
  }
});

simOnly('refused: given up after many tries, with the address', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'gpu1', ssh: 'refused' });
  await run(['refresh']);
  const { code, stdout, stderr } = await run(['exec', 'gpu1', 'touch ran']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(
    stderr,
    /could not connect to instance "gpu1": \nssh: connect to host \S+ port \d+: Connection refused\r\nPlease check with: brev ls\n$/,
  );
});

simOnly('not resolvable, banner hang and a rejected key, in their words', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'lost', ssh: 'unresolvable' });
  await sim.addInstance({ name: 'mute', ssh: 'banner-hang' });
  await sim.addInstance({ name: 'strange', ssh: 'key-rejected' });
  await run(['refresh']);
  const lost = await run(['exec', 'lost', 'true']);
  assert.equal(lost.code, 1);
  assert.match(lost.stderr, /ssh: Could not resolve hostname /);
  const mute = await run(['exec', 'mute', 'true']);
  assert.equal(mute.code, 1);
  assert.match(
    mute.stderr,
    /could not connect to instance "mute": [\s\S]*Connection timed out during banner exchange/,
  );
  const strange = await run(['exec', 'strange', 'true']);
  assert.equal(strange.code, 1);
  assert.match(strange.stderr, /^[^\n]*Permission denied \(publickey\)/, 'the cause is the first line');
  assert.match(
    plain(strange.stderr),
    /could not connect to instance "strange": \nWarning: Permanently added /,
  );
});

simOnly('an sshd that comes up late is waited for, and the command runs once', { speed: 5 }, async (brev) => {
  const { home } = await brev.sim.addInstance({ name: 'gpu1', ssh: 'refused' });
  await brev.run(['refresh']);
  const exec = brev.start(['exec', 'gpu1', 'echo ran | tee -a log']);
  await exec.until('stderr', /waiting for SSH connection/);
  await brev.sim.update('gpu1', { ssh: 'ok' });
  const { code, stdout } = await exec.ended;
  assert.deepEqual([code, stdout], [0, 'ran\ngpu1\n']);
  assert.equal(await readFile(join(home, 'log'), 'utf8'), 'ran\n');
});

simOnly(
  'a connection lost in the middle runs the command again: success is possible',
  {},
  async ({ sim, run }) => {
    const { home } = await sim.addInstance({ name: 'gpu1' });
    await run(['refresh']);
    await sim.scenario([{ kind: 'drop', command: 'exec', afterBytes: 6 }]);
    const { code, stdout, stderr } = await run([
      'exec',
      'gpu1',
      'echo ran >>log; echo begin; echo middle; echo end',
    ]);
    assert.equal(code, 0);
    assert.equal(stdout, 'begin\nbegin\nmiddle\nend\ngpu1\n');
    assert.match(stderr, /^Connection failed, checking instance status\.\.\.$/m);
    assert.equal(await readFile(join(home, 'log'), 'utf8'), 'ran\nran\n');
  },
);

simOnly(
  'a torn ssh config sends exec down the slow path, and the command runs once',
  {},
  async ({ sim, run }) => {
    const { home } = await sim.addInstance({ name: 'gpu1' });
    await run(['refresh']);
    await sim.scenario([{ kind: 'torn-ssh-config', command: 'exec' }]);
    const { code, stdout, stderr } = await run(['exec', 'gpu1', 'echo ran | tee -a log']);
    assert.deepEqual([code, stdout], [0, 'ran\ngpu1\n']);
    assert.match(stderr, /^ssh: Could not resolve hostname gpu1: /m);
    assert.equal(await readFile(join(home, 'log'), 'utf8'), 'ran\n');
  },
);

simOnly('a refresh that fails fails the slow path, for whichever instance', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'gpu1' });
  const { id } = await sim.addInstance({ name: 'other', sshUser: '' });
  const poisoned = await run(['exec', 'gpu1', 'true']);
  assert.deepEqual([poisoned.code, poisoned.stdout], [1, '']);
  assert.match(poisoned.stderr, new RegExp(`workspace ${id} has empty SSH user`));
  await sim.update('other', { sshUser: 'ubuntu' });
  await sim.scenario([{ kind: 'no-cloudflared', command: 'exec' }]);
  const missing = await run(['exec', 'gpu1', 'true']);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /github\.com\/cloudflare\/cloudflared\/releases/);
});

simOnly('the look-up fails for any reason: always the same text', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'gpu1' });
  await sim.scenario([{ kind: 'offline', command: 'exec' }]);
  const text = /ssh connection failed and could not look up instance "gpu1": [^\n]*exit status 255\n/;
  assert.match((await run(['exec', 'gpu1', 'true'])).stderr, text);
  await run(['logout']);
  const out = await run(['exec', 'gpu1', 'true']);
  assert.equal(out.code, 1);
  assert.match(out.stderr, text);
});

simOnly('a user without any org: a panic', {}, async ({ sim, run }) => {
  await sim.cloud((cloud) => {
    cloud.orgs = [];
  });
  const { code, stderr } = await run(['exec', 'gpu1', 'true']);
  assert.equal(code, 2);
  assert.match(stderr, /^panic: /m);
  assert.match(stderr, /^goroutine 1 \[running\]:$/m);
});

simOnly(
  '0.6.317: the agent greets on stdout, and a failure runs once',
  { version: '0.6.317' },
  async ({ sim, run }) => {
    await sim.addInstance({ name: 'gpu1' });
    const good = await run(['exec', 'gpu1', 'echo hi']);
    assert.equal(good.code, 0);
    assert.match(good.stdout, /^Agent pid \d+\nhi\ngpu1\n$/);
    const bad = await run(['exec', 'gpu1', 'echo once; exit 7']);
    assert.equal(bad.code, 1);
    assert.match(bad.stdout, /^Agent pid \d+\nonce\n$/);
    assert.equal(lastLine(plain(bad.stderr)), 'exit status 7');
    assert.doesNotMatch(bad.stderr, /Connection failed/);
  },
);

simOnly('0.6.320: exec runs twice already', { version: '0.6.320' }, async ({ sim, run }) => {
  await sim.addInstance({ name: 'gpu1' });
  await run(['refresh']);
  assert.equal((await run(['exec', 'gpu1', 'echo once; exit 7'])).stdout, 'once\nonce\n');
});
