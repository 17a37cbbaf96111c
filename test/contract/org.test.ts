import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anyBrev, simOnly } from './support/brev.ts';
import { parseOrgs } from './support/rows.ts';

anyBrev('an unknown org cannot be set', async ({ run }) => {
  for (const args of [['set'], ['org', 'set']]) {
    const { code, stdout, stderr } = await run([...args, 'no-such-org-at-all']);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /no orgs exist with name no-such-org-at-all\n$/);
  }
});

anyBrev('org and org ls have no --json', async ({ run }) => {
  for (const args of [['org'], ['org', 'ls']]) {
    assert.equal((await run(args)).code, 0);
    const { code, stderr } = await run([...args, '--json']);
    assert.equal(code, 1);
    assert.match(stderr, /unknown flag: --json\n$/);
  }
});

simOnly('set is silent, org set is not; names are matched whatever the case', {}, async ({ sim, run }) => {
  const active = async () =>
    parseOrgs((await run(['ls', 'orgs', '--json'])).stdout).find(({ is_active }) => is_active)?.name;
  const set = await run(['set', 'VISION-lab']);
  assert.deepEqual([set.code, set.stdout, set.stderr], [0, '', '']);
  assert.equal(await active(), 'Vision-Lab');
  const orgSet = await run(['org', 'set', 'research']);
  assert.deepEqual([orgSet.code, orgSet.stderr], [0, '']);
  assert.match(orgSet.stdout, /^\nOrg research is now active 🤙/);
  assert.equal(await active(), 'research');
  const file = join(sim.home, '.brev', 'active_org.json');
  assert.equal((await stat(file)).mode & 0o777, 0o644);
  assert.equal(JSON.parse(await readFile(file, 'utf8')).name, 'research');
  await writeFile(file, '');
  const { code, stdout, stderr } = await run(['ls', '--json']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /unexpected end of JSON input\n$/);
});

simOnly('healthcheck says what is wrong', {}, async ({ sim, run }) => {
  await sim.scenario([{ kind: 'offline', command: 'healthcheck' }]);
  const { stdout, stderr } = await run(['healthcheck']);
  assert.match(stdout + stderr, /Not Healthy!/);
});
