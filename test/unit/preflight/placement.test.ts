import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { BrevCommand } from '../../../src/brev/command.ts';
import { create } from '../../../src/brev/create.ts';
import { readDialect } from '../../../src/brev/dialect.ts';
import { taoEnvFile } from '../../../src/preflight/credentials.ts';
import { readEnvFile } from '../../../src/preflight/envFile.ts';
import {
  findPlacements,
  isPlacementId,
  readPlacement,
  storePlacement,
  whereToFindPlacement,
} from '../../../src/preflight/placement.ts';
import { ok } from '../../../src/values/outcome.ts';
import { simulatedCli } from './support/cli.ts';
import { failureOf, okValue, wordsOf } from './support/outcomes.ts';
import { put, temporaryHome } from './support/temporary-home.ts';

describe('findPlacements', () => {
  it('finds what the CLI tells: credentials of the active organisation, groups of the instances', async (t) => {
    const { sim, brev, calls } = await simulatedCli(t, { dialect: 'tao' });
    await sim.addInstance({ name: 'a', workspaceGroupId: 'group-west' });
    await sim.addInstance({ name: 'b', workspaceGroupId: 'group-east' });
    await sim.addInstance({ name: 'c', workspaceGroupId: 'group-west' });
    assert.deepEqual(okValue(await findPlacements(brev)), {
      kind: 'needed',
      cloudCredentials: [
        { id: 'cred-aws', name: 'aws' },
        { id: 'cred-gcp', name: 'gcp' },
      ],
      workspaceGroupIds: ['group-west', 'group-east'],
    });
    assert.deepEqual(await calls(), ['ls --json', 'orgs --json']);
  });

  it('has no groups to offer while there is no instance', async (t) => {
    const { brev } = await simulatedCli(t, { dialect: 'tao' });
    const found = okValue(await findPlacements(brev));
    assert.deepEqual(found.kind === 'needed' && found.workspaceGroupIds, []);
  });

  it('asks nothing of a CLI that takes no placement', async (t) => {
    const { sim, brev, calls } = await simulatedCli(t);
    await sim.addInstance({ name: 'a' });
    assert.deepEqual(okValue(await findPlacements(brev)), { kind: 'notNeeded' });
    assert.deepEqual(await calls(), []);
  });

  it('still offers the groups when the organisations cannot be listed', async (t) => {
    const { sim, brev } = await simulatedCli(t, { dialect: 'tao' });
    await sim.addInstance({ name: 'a', workspaceGroupId: 'group-west' });
    await sim.scenario([{ kind: 'http', status: 500, command: 'orgs', count: 'always' }]);
    const found = okValue(await findPlacements(brev));
    assert.equal(found.kind === 'needed' && found.problem?.kind, 'serverError');
    assert.deepEqual(found.kind === 'needed' && found.workspaceGroupIds, ['group-west']);
  });

  /** A CLI of the second dialect that answers with these rows. */
  const answering = (workspaces: unknown, organisations: unknown) => ({
    dialect: async () =>
      ok(readDialect({ version: '', help: '', create: '--cloud-cred-id --workspace-group-id', login: '' })),
    execute: async <T>(command: BrevCommand<T>) =>
      command.parse({
        stdout: JSON.stringify(command.name === 'ls' ? workspaces : organisations),
        stderr: '',
      }),
  });

  it('takes the credentials of the active organisation, or else of the first', async () => {
    const rows = [
      { id: 'o1', cloudCredentials: [{ id: 'c1' }, { id: 'c1', name: 'again' }, { id: '--x' }] },
      { id: 'o2', is_active: true, cloudCredentials: [{ id: 'c2', name: 'mine' }] },
    ];
    const of = async (organisations: unknown) => {
      const found = okValue(await findPlacements(answering([], organisations)));
      return found.kind === 'needed' ? found.cloudCredentials : undefined;
    };
    assert.deepEqual(await of(rows), [{ id: 'c2', name: 'mine' }]);
    assert.deepEqual(await of(rows.slice(0, 1)), [{ id: 'c1', name: 'again' }]);
    assert.deepEqual(await of([]), []);
    assert.deepEqual(await of([{ id: 'o1' }]), [], 'an answer without them');
    assert.deepEqual(await of([{ id: 'o1', cloudCredentials: 'none' }]), [], 'an answer with something else');
  });

  it('takes the groups from rows that have one', async () => {
    const found = okValue(
      await findPlacements(
        answering(
          [
            { id: 'i1', name: 'a' },
            { id: 'i2', name: 'b', workspaceGroupId: 'g' },
          ],
          [],
        ),
      ),
    );
    assert.deepEqual(found.kind === 'needed' && found.workspaceGroupIds, ['g']);
  });

  it('asks only once when signed out', async (t) => {
    const { brev, calls } = await simulatedCli(t, { dialect: 'tao', signedIn: false });
    assert.equal(failureOf(await findPlacements(brev)).kind, 'signedOut');
    assert.deepEqual(await calls(), ['ls --json']);
  });
});

describe('the placement that was stored', () => {
  it('is kept among other lines, and makes a create that was refused before', async (t) => {
    const { brev } = await simulatedCli(t, { dialect: 'tao' });
    const file = await put(
      taoEnvFile(await temporaryHome(t)),
      '# keys\nNGC_KEY=x\nBREV_CLOUD_CRED_ID=old\n',
      0o644,
    );
    const dialect = okValue(await brev.dialect());
    const types = [{ type: 'g6e.xlarge', gpu: { name: 'L40S', count: 1 } }] as const;
    assert.equal(
      failureOf(await brev.execute(okValue(create({ name: 'n', types }, dialect)))).kind,
      'placementNeeded',
    );

    okValue(await storePlacement(file, { cloudCredId: ' cred-gcp\n', workspaceGroupId: 'group-east' }));
    assert.equal(
      await readFile(file, 'utf8'),
      '# keys\nNGC_KEY=x\nBREV_CLOUD_CRED_ID=cred-gcp\nBREV_WORKSPACE_GROUP_ID=group-east\n',
    );

    const placement = readPlacement(okValue(await readEnvFile(file)));
    assert.deepEqual(placement, { cloudCredId: 'cred-gcp', workspaceGroupId: 'group-east' });
    okValue(await brev.execute(okValue(create({ name: 'n', types }, dialect, placement))));
  });

  it('is none as long as one half is missing', () => {
    const read = (values: Record<string, string>) =>
      readPlacement({ values: new Map(Object.entries(values)) });
    assert.equal(read({}), undefined);
    assert.equal(read({ BREV_CLOUD_CRED_ID: 'a' }), undefined);
    assert.equal(read({ BREV_CLOUD_CRED_ID: 'a', BREV_WORKSPACE_GROUP_ID: '' }), undefined);
    assert.equal(read({ BREV_CLOUD_CRED_ID: '--evil', BREV_WORKSPACE_GROUP_ID: 'b' }), undefined);
    assert.deepEqual(read({ BREV_CLOUD_CRED_ID: 'a', BREV_WORKSPACE_GROUP_ID: 'b' }), {
      cloudCredId: 'a',
      workspaceGroupId: 'b',
    });
  });

  it('is refused when it can be no id, and nothing is written', async (t) => {
    const file = taoEnvFile(await temporaryHome(t));
    const outcome = await storePlacement(file, { cloudCredId: 'a b', workspaceGroupId: 'g' });
    assert.equal(wordsOf(outcome), '"a b" cannot be an id of a cloud credential or workspace group.');
    assert.equal(okValue(await readEnvFile(file)).exists, false);
  });

  it('knows ids from what a user may type', () => {
    for (const id of ['cred-aws', 'cc_2x', '0b1d-4e', 'a.b:c/d@e']) {
      assert.ok(isPlacementId(id), id);
    }
    for (const id of ['', '-x', '--force', 'a b', 'a\nb', 'é', '$(x)', 'x'.repeat(300)]) {
      assert.ok(!isPlacementId(id), id);
    }
    assert.match(whereToFindPlacement.url, /^https:\/\/brev\.nvidia\.com/);
  });
});
