import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anyBrev, simOnly } from './support/brev.ts';
import { eventually } from './support/eventually.ts';
import { parseOffers, parseRows } from './support/rows.ts';
import { lastLine, plain } from './support/text.ts';

const NAME_RULE =
  /name must start with a letter or digit and contain only letters, digits, hyphens, underscores, and dots\n$/;

anyBrev('bad names are refused before anything else', async ({ run }) => {
  for (const name of ['-x', 'a b', 'a;b', '.a', 'ä', '$(x)']) {
    const words = name.startsWith('-')
      ? ['create', '--type', 'x1', '--', name]
      : ['create', name, '--type', 'x1'];
    const { code, stdout, stderr } = await run(words);
    assert.deepEqual([code, stdout], [1, ''], name);
    assert.match(stderr, NAME_RULE, name);
  }
  const long = await run(['create', 'a'.repeat(64), '--type', 'x1']);
  assert.equal(long.code, 1);
  assert.match(long.stderr, /name must be 63 characters or fewer \(got 64\)\n$/);
  const none = await run(['create', '--type', 'x1']);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /name is required\n$/);
});

anyBrev('flags that it never had are unknown', async ({ run }) => {
  for (const flag of ['--json', '--yes', '--org']) {
    const { code, stdout, stderr } = await run(['create', 'x', '--type', 'x1', flag]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, new RegExp(`unknown flag: ${flag}\\n$`));
  }
});

simOnly('the name check needs no login; neither does --dry-run', { signedIn: false }, async ({ run }) => {
  assert.match((await run(['create', 'a b'])).stderr, NAME_RULE);
  const dry = await run(['create', 'x', '--dry-run', '--gpu-name', 'L40S']);
  assert.equal(dry.code, 0);
  assert.match(dry.stdout, /^massedcompute_L40S \(625GB disk\), [^\n]+\n$/);
});

simOnly(
  'piped and detached: the name alone on stdout, progress on stderr, no id',
  {},
  async ({ sim, run }) => {
    const { code, stdout, stderr } = await run(['create', 'fresh', '--type', 'g5.xlarge', '--detached']);
    assert.deepEqual([code, stdout], [0, 'fresh\n']);
    const { id, status } = await sim.instance('fresh');
    assert.equal(status, 'DEPLOYING');
    assert.ok(!stderr.includes(id));
    for (const line of [
      /^Attempting to create 1 instance\(s\) with 1 parallel attempts$/m,
      /^Instance types to try: g5\.xlarge$/m,
      /^Trying g5\.xlarge for 1 instance\(s\)\.\.\.$/m,
      /^\[Worker 1\] Trying g5\.xlarge for instance 'fresh'\.\.\.$/m,
      /^\[Worker 1\] g5\.xlarge Success! Created instance 'fresh'$/m,
    ]) {
      assert.match(stderr, line);
    }
    assert.doesNotMatch(stderr, /Waiting for instance/);
  },
);

simOnly('not piped: everything on stdout, with the id', {}, async ({ sim, run }) => {
  // A character device that isn't /dev/null would need a terminal; what goes to stderr shows the difference.
  const { code, stderr } = await run(['create', 'fresh', '--type', 'g5.xlarge', '-d'], {
    stdout: { file: '/dev/null' },
  });
  assert.equal(code, 0);
  assert.doesNotMatch(stderr, /Attempting to create/);
  assert.equal((await sim.instance('fresh')).name, 'fresh');
});

simOnly('without --detached it waits for RUNNING, not for the build or ssh', {}, async ({ run }) => {
  const { code, stdout, stderr } = await run(['create', 'fresh', '--type', 'g5.xlarge']);
  assert.deepEqual([code, stdout], [0, 'fresh\n']);
  assert.match(
    stderr,
    /^Waiting for instance\(s\) to be ready\.\.\.\nYou can safely ctrl\+c to exit\n {2}fresh: Ready\n$/m,
  );
  const [row] = parseRows((await run(['ls', '--json'])).stdout);
  assert.equal(row?.status, 'RUNNING');
});

simOnly('a wait that ends too soon, and a machine that fails, still exit 0', {}, async ({ sim, run }) => {
  await sim.scenario([
    { kind: 'never-ready', command: 'create', arg: 'slow' },
    { kind: 'machine-failure', command: 'create', arg: 'broken', message: 'no quota' },
    { kind: 'machine-failure', command: 'create', arg: 'mute' },
  ]);
  const slow = await run(['create', 'slow', '--type', 'g5.xlarge', '--timeout', '20']);
  assert.deepEqual([slow.code, slow.stdout], [0, 'slow\n']);
  assert.match(slow.stderr, /^ {2}slow: Timeout waiting for ready state$/m);
  const broken = await run(['create', 'broken', '--type', 'g5.xlarge']);
  assert.deepEqual([broken.code, broken.stdout], [0, 'broken\n']);
  assert.match(broken.stderr, /^ {2}broken: instance broken failed: no quota$/m);
  const mute = await run(['create', 'mute', '--type', 'g5.xlarge']);
  assert.match(mute.stderr, /^ {2}mute: instance mute failed$/m);
  assert.equal(parseRows((await run(['ls', '--json'])).stdout)[1]?.status, 'FAILURE');
});

simOnly('unknown and sold-out types are skipped, the next one is tried', {}, async ({ sim, run }) => {
  await sim.cloud((cloud) => cloud.soldOut.push('g5.xlarge'));
  const { code, stdout, stderr } = await run([
    'create',
    'x',
    '-d',
    '--type',
    'no-such-1,g5.xlarge,g6.xlarge',
  ]);
  assert.deepEqual([code, stdout], [0, 'x\n']);
  assert.match(
    stderr,
    /^Skipping: instance type "no-such-1" is not a recognized type; run 'brev search' to see available types$/m,
  );
  assert.match(
    stderr,
    /^Skipping: instance type "g5\.xlarge" is currently unavailable \(no capacity\); try again later/m,
  );
  assert.equal(parseRows((await run(['ls', '--json'])).stdout)[0]?.instance_type, 'g6.xlarge');
});

simOnly('no type to be had: exit 1, the reason in the middle of stderr', {}, async ({ sim, run }) => {
  const unknown = await run(['create', 'x', '-d', '--type', 'no-such-1']);
  assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /^Warning: Only created 0\/1 instances$/m);
  assert.equal(lastLine(unknown.stderr), 'could only create 0/1 instances');
  await sim.scenario([{ kind: 'rejected', command: 'create', message: 'quota exceeded' }]);
  const refused = await run(['create', 'x', '-d', '--type', 'g5.xlarge']);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /^\[Worker 1\] g5\.xlarge Failed: \[error\] \n/m);
  assert.match(plain(refused.stderr), /^\[Worker 1\] g5\.xlarge Failed: quota exceeded$/m);
  assert.match(refused.stderr, /^Type g5\.xlarge had failures, trying next type\.\.\.$/m);
  assert.equal(lastLine(refused.stderr), 'could only create 0/1 instances');
});

simOnly(
  'a taken name stops the create, also while the old one is being deleted',
  {},
  async ({ sim, run }) => {
    const taken = /workspace 'x' already exists\. Use a different name or delete the existing workspace/;
    await sim.addInstance({ name: 'x', status: 'DELETING' });
    const { code, stdout, stderr } = await run(['create', 'x', '-d', '--type', 'g5.xlarge,g6.xlarge']);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, taken);
    assert.doesNotMatch(stderr, /Trying g6\.xlarge/);
  },
);

simOnly('the listing of types down: retry', {}, async ({ sim, run }) => {
  await sim.scenario([{ kind: 'types-down', command: 'create' }]);
  const { code, stdout, stderr } = await run(['create', 'x', '-d', '--type', 'g5.xlarge']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^Warning: could not fetch instance types with workspace groups: /m);
  assert.match(
    stderr,
    /could not resolve workspace group for "g5\.xlarge" \(instance-type listing was unavailable\); please retry\n$/,
  );
});

simOnly(
  'without a type it takes the cheapest that passes its defaults, then dearer ones',
  {},
  async ({ sim, run }) => {
    const { stderr } = await run(['create', 'x', '-d']);
    const tried = /^Instance types to try: (.+)$/m.exec(stderr)?.[1]?.split(', ') ?? [];
    const offers = parseOffers((await run(['search', '--json'])).stdout).filter(
      (offer) =>
        offer.total_vram_gb >= 20 &&
        offer.disk_max_gb >= 500 &&
        offer.capability >= 8 &&
        offer.boot_time_seconds <= 420,
    );
    assert.deepEqual(
      tried,
      offers.map(({ type }) => type),
    );
    assert.ok((offers.at(-1)?.price_per_hour ?? 0) > 20, 'up to the dearest');
    assert.equal((await sim.instance('x')).name, 'x');
    assert.equal(parseRows((await run(['ls', '--json'])).stdout)[0]?.instance_type, tried[0]);
    const none = await run(['create', 'y', '-d', '--gpu-name', 'no-such-gpu']);
    assert.deepEqual([none.code, none.stdout], [1, '']);
    assert.match(none.stderr, /no GPU instances match the specified filters\. Try 'brev search'/);
  },
);

simOnly(
  'types come from stdin too, as JSON with a disk or as words; garbage means auto-choice',
  {},
  async ({ sim, run }) => {
    const json = JSON.stringify([{ type: 'g5.xlarge', target_disk_gb: 777 }]);
    assert.equal((await run(['create', 'a', '-d'], { stdin: { text: json } })).stdout, 'a\n');
    assert.equal((await run(['create', 'b', '-d'], { stdin: { text: 'g6.xlarge\n' } })).stdout, 'b\n');
    const garbage = await run(['create', 'c', '-d'], { stdin: { text: '???\n' } });
    assert.match(garbage.stderr, /^Instance types to try: .+, .+$/m);
    let disks: unknown[] = [];
    await sim.cloud((cloud) => {
      disks = cloud.instances.map(({ type, diskGb }) => [type, diskGb]);
    });
    assert.deepEqual(disks.slice(0, 2), [
      ['g5.xlarge', 777],
      ['g6.xlarge', 120],
    ]);
  },
);

simOnly('--min-disk means nothing beside --type', {}, async ({ sim, run }) => {
  await run(['create', 'a', '-d', '--type', 'g5.xlarge', '--min-disk', '999']);
  let disk = 0;
  await sim.cloud((cloud) => {
    disk = cloud.instances[0]?.diskGb ?? 0;
  });
  assert.equal(disk, 120);
});

simOnly('--count: suffixed names; a part that fails leaves the others standing', {}, async ({ sim, run }) => {
  const three = await run(['create', 'x', '-d', '--type', 'g5.xlarge', '--count', '3']);
  assert.equal(three.code, 0);
  assert.deepEqual(three.stdout.split('\n').toSorted(), ['', 'x-1', 'x-2', 'x-3']);
  await sim.scenario([{ kind: 'no-capacity', command: 'create', after: 1 }]);
  const partial = await run(['create', 'y', '-d', '--type', 'g5.xlarge', '--count', '2']);
  assert.deepEqual([partial.code, partial.stdout], [1, '']);
  const { id } = await sim.instance('y-1');
  assert.ok(partial.stderr.includes(`  - y-1 (ID: ${id})\n`));
  assert.equal(lastLine(partial.stderr), 'could only create 1/2 instances');
});

simOnly('a create whose answer is lost fails, but the machine exists', {}, async ({ sim, run }) => {
  await sim.scenario([{ kind: 'create-lost', command: 'create' }]);
  const { code, stdout, stderr } = await run(['create', 'x', '-d', '--type', 'g5.xlarge']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /EOF/);
  assert.equal((await sim.instance('x')).status, 'DEPLOYING');
});

simOnly(
  'a create killed while waiting, or while its request is pending, leaves the machine',
  {},
  async ({ sim, start }) => {
    await sim.scenario([
      { kind: 'create-pending', command: 'create', arg: 'pending' },
      { kind: 'never-ready', command: 'create', arg: 'waiting' },
    ]);
    const waiting = start(['create', 'waiting', '--type', 'g5.xlarge']);
    await waiting.until('stderr', /You can safely ctrl\+c to exit/);
    waiting.child.kill('SIGINT');
    const end = await waiting.ended;
    assert.deepEqual([end.signal, end.stdout], ['SIGINT', '']);
    assert.equal((await sim.instance('waiting')).status, 'DEPLOYING');
    const pending = start(['create', 'pending', '--type', 'g5.xlarge', '-d']);
    await eventually(async () => (await sim.instances()).some(({ name }) => name === 'pending'));
    pending.child.kill('SIGTERM');
    assert.deepEqual([(await pending.ended).signal, pending.stdout()], ['SIGTERM', '']);
  },
);

simOnly('a startup script that is missing stops it; extra words are ignored', {}, async ({ sim, run }) => {
  const missing = await run([
    'create',
    'x',
    '-d',
    '--type',
    'g5.xlarge',
    '--startup-script',
    '@/no/such/file',
  ]);
  assert.deepEqual([missing.code, missing.stdout], [1, '']);
  assert.match(missing.stderr, /open \/no\/such\/file: no such file or directory\n$/);
  const script = join(sim.root, 'setup.sh');
  await writeFile(script, 'true\n');
  const fine = await run([
    'create',
    'x',
    'extra',
    '-d',
    '--type',
    'g5.xlarge',
    '--startup-script',
    `@${script}`,
  ]);
  assert.deepEqual([fine.code, fine.stdout], [0, 'x\n']);
});

simOnly('provision is create', {}, async ({ run }) => {
  assert.equal((await run(['provision', 'x', '-d', '--type', 'g5.xlarge'])).stdout, 'x\n');
});
