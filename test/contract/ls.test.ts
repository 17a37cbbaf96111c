import assert from 'node:assert/strict';
import { anyBrev, simOnly } from './support/brev.ts';
import { parseOrgs, parseRows } from './support/rows.ts';

const STATES = ['RUNNING', 'STARTING', 'STOPPING', 'STOPPED', 'DEPLOYING', 'DELETING', 'FAILURE'];

anyBrev(
  'ls --json is one object of exactly the known fields, pretty-printed, with a newline at its end',
  async (brev) => {
    const { code, stdout, stderr } = await brev.run(['ls', '--json']);
    assert.equal(code, 0);
    assert.match(stdout, /^\{\n {2}"workspaces": \[\n {4}\{\n {6}"name": /);
    assert.match(stdout, /\}\n$/);
    assert.doesNotMatch(stdout, /\n\n$/);
    assert.ok(!stderr.includes('\u001b['), 'no spinner');
    const row = parseRows(stdout).find(({ name }) => name === brev.running);
    assert.equal(row?.status, 'RUNNING');
  },
  'running',
);

anyBrev(
  'ls --json shows a stopped instance as STOPPED and NOT READY',
  async (brev) => {
    const rows = parseRows((await brev.run(['ls', '--json'])).stdout);
    const row = rows.find(({ name }) => name === brev.stopped);
    assert.equal(row?.status, 'STOPPED');
    assert.equal(row?.shell_status, 'NOT READY');
  },
  'stopped',
);

anyBrev('ls instances and ls workspaces are the same list', async (brev) => {
  const ids = async (args: string[]) => parseRows((await brev.run(args)).stdout).map(({ id }) => id);
  const plain = await ids(['ls', '--json']);
  assert.deepEqual(await ids(['ls', 'instances', '--json']), plain);
  assert.deepEqual(await ids(['ls', 'workspaces', '--json']), plain);
});

anyBrev(
  'the table is the same on a pipe, with a header: not names only',
  async (brev) => {
    const { code, stdout } = await brev.run(['ls']);
    assert.equal(code, 0);
    assert.match(stdout, /^You have \d+ instances in Org /);
    assert.match(stdout, /NAME\s+STATUS\s+BUILD\s+SHELL\s+ID\s+MACHINE\s+GPU/);
    assert.ok(stdout.includes(brev.running));
  },
  'running',
);

anyBrev('an unknown word lists nothing and succeeds; two words are too many', async (brev) => {
  const one = await brev.run(['ls', 'bogus-word']);
  assert.deepEqual([one.code, one.stdout], [0, '']);
  const two = await brev.run(['ls', 'a', 'b']);
  assert.equal(two.code, 1);
  assert.equal(two.stdout, '');
  assert.match(two.stderr, /too many args provided\n$/);
});

anyBrev('an unknown org is refused by name', async (brev) => {
  const { code, stdout, stderr } = await brev.run(['ls', '--json', '--org', 'no-such-org-at-all']);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /no org found with name no-such-org-at-all\n$/);
});

anyBrev('ls orgs --json is an array of name, id and is_active, one of them active', async (brev) => {
  const { code, stdout } = await brev.run(['ls', 'orgs', '--json']);
  assert.equal(code, 0);
  assert.match(stdout, /^\[\n {2}\{\n {4}"name": /);
  assert.match(stdout, /\]\n$/);
  assert.equal(parseOrgs(stdout).filter(({ is_active }) => is_active).length, 1);
});

simOnly('no instances are null, not an empty array', {}, async ({ run }) => {
  const { code, stdout } = await run(['ls', '--json']);
  assert.equal(code, 0);
  assert.equal(stdout, '{\n  "workspaces": null\n}\n');
  const table = await run(['ls']);
  assert.match(table.stdout, /^No instances in org research\n\nStart a new instance:/);
});

simOnly('statuses pass through as they are, unknown ones too', {}, async ({ sim, run }) => {
  for (const status of [...STATES, 'HIBERNATING']) await sim.addInstance({ name: `i-${status}`, status });
  const rows = parseRows((await run(['ls', '--json'])).stdout);
  assert.deepEqual(
    rows.map(({ status }) => status),
    [...STATES, 'HIBERNATING'],
  );
});

simOnly('READY needs RUNNING and COMPLETED', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'a' });
  await sim.addInstance({ name: 'b', buildStatus: 'BUILDING' });
  await sim.addInstance({ name: 'c', buildStatus: '' });
  await sim.addInstance({ name: 'd', buildStatus: 'CREATE_FAILED' });
  await sim.addInstance({ name: 'e', status: 'STOPPED' });
  const rows = parseRows((await run(['ls', '--json'])).stdout);
  assert.deepEqual(
    rows.map((row) => [row.build_status, row.shell_status]),
    [
      ['COMPLETED', 'READY'],
      ['BUILDING', 'NOT READY'],
      ['', 'NOT READY'],
      ['CREATE_FAILED', 'NOT READY'],
      ['COMPLETED', 'NOT READY'],
    ],
  );
});

simOnly('UNHEALTHY stands in place of RUNNING, and of RUNNING only', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'a', healthStatus: 'UNHEALTHY' });
  await sim.addInstance({ name: 'b', healthStatus: 'UNHEALTHY', status: 'STOPPED' });
  const rows = parseRows((await run(['ls', '--json'])).stdout);
  assert.deepEqual(
    rows.map((row) => [row.status, row.shell_status, row.health_status]),
    [
      ['UNHEALTHY', 'READY', 'UNHEALTHY'],
      ['STOPPED', 'NOT READY', 'UNHEALTHY'],
    ],
  );
});

simOnly('kind and GPU come from the types list: cpu and - without it', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'gpu', type: 'g6e.xlarge' });
  await sim.addInstance({ name: 'cpu', type: 'n2d-standard-4' });
  await sim.addInstance({ name: 'odd', type: 'no-such-type' });
  const kinds = async () =>
    parseRows((await run(['ls', '--json'])).stdout).map((row) => [row.instance_kind, row.gpu]);
  assert.deepEqual(await kinds(), [
    ['gpu', 'L40S'],
    ['cpu', '-'],
    ['cpu', '-'],
  ]);
  await sim.scenario([{ kind: 'types-down', command: 'ls' }]);
  assert.deepEqual(await kinds(), [
    ['cpu', '-'],
    ['cpu', '-'],
    ['cpu', '-'],
  ]);
});

simOnly('own and shared instances are listed, with --all the whole org', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'mine' });
  await sim.addInstance({ name: 'theirs', owner: 'user-other' });
  await sim.addInstance({ name: 'shared', owner: 'user-other', shared: true });
  await sim.addInstance({ name: 'elsewhere', orgId: 'org-vision' });
  const names = async (...more: string[]) =>
    parseRows((await run(['ls', '--json', ...more])).stdout).map(({ name }) => name);
  assert.deepEqual(await names(), ['mine', 'shared']);
  assert.deepEqual(await names('--all'), ['mine', 'theirs', 'shared']);
  assert.deepEqual(await names('--org', 'vision-LAB'), ['elsewhere']);
  assert.equal((await run(['ls', '--json', '--org', 'org-vision'])).code, 1, 'ids are not accepted');
});

simOnly('names survive JSON whatever they hold; <, > and & are escaped', {}, async ({ sim, run }) => {
  const names = ['学習-1', 'a; rm -rf ~ #', '$(x)', '', 'two\nlines', '\u001b[31mred', '<b>&amp;'];
  for (const name of names) await sim.addInstance({ name });
  const { stdout } = await run(['ls', '--json']);
  assert.deepEqual(
    parseRows(stdout).map(({ name }) => name),
    names,
  );
  assert.ok(stdout.includes('\\u003cb\\u003e\\u0026amp;'));
  assert.ok((await run(['ls'])).stdout.includes('\u001b[31mred'), 'the table prints them raw');
});

simOnly('external nodes: a key of ls --all, an array of their own', {}, async ({ sim, run }) => {
  const nodes = [{ name: 'dgx', org_id: 'org-research', status: 'Connected' as const }];
  assert.deepEqual(JSON.parse((await run(['ls', 'nodes', '--json'])).stdout), []);
  assert.deepEqual(JSON.parse((await run(['ls', '--all', '--json'])).stdout), { workspaces: null });
  await sim.cloud((cloud) => cloud.nodes.push(...nodes));
  assert.deepEqual(JSON.parse((await run(['ls', 'nodes', '--json'])).stdout), nodes);
  assert.deepEqual(JSON.parse((await run(['ls', '--all', '--json'])).stdout), { workspaces: null, nodes });
  assert.deepEqual(JSON.parse((await run(['ls', '--json'])).stdout), { workspaces: null });
  await sim.scenario([{ kind: 'nodes-down', command: 'ls', count: 'always' }]);
  const all = await run(['ls', '--all', '--json']);
  assert.deepEqual([all.code, JSON.parse(all.stdout)], [0, { workspaces: null }]);
  assert.equal((await run(['ls', 'nodes', '--json'])).code, 1);
});

simOnly('an answer of HTML reads as no instances, exit 0', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'a' });
  await sim.scenario([{ kind: 'html', command: 'ls' }]);
  const { code, stdout } = await run(['ls', '--json']);
  assert.deepEqual([code, stdout], [0, '{\n  "workspaces": null\n}\n']);
  assert.equal(parseRows((await run(['ls', '--json'])).stdout).length, 1);
});

simOnly('a cached org that is gone gives the first other org, silently', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'here' });
  await sim.addInstance({ name: 'there', orgId: 'org-vision' });
  await run(['set', 'research']);
  await sim.scenario([{ kind: 'org-gone', command: 'ls' }]);
  const { code, stdout, stderr } = await run(['ls', '--json']);
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(
    parseRows(stdout).map(({ name }) => name),
    ['there'],
  );
});

simOnly('no orgs at all: exit 1 for instances and for orgs', {}, async ({ sim, run }) => {
  await sim.cloud((cloud) => {
    cloud.orgs = [];
  });
  for (const args of [
    ['ls', '--json'],
    ['ls', 'orgs', '--json'],
  ]) {
    const { code, stdout, stderr } = await run(args);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /no orgs exist\n$/);
  }
});

simOnly('many parallel lists are all whole and alike', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'a' });
  const results = await Promise.all(Array.from({ length: 10 }, () => run(['ls', '--json'])));
  assert.equal(new Set(results.map(({ stdout }) => stdout)).size, 1);
  assert.ok(results.every(({ code }) => code === 0));
});
