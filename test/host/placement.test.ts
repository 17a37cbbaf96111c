import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { create } from './createWizard.ts';
import { scene } from './scene.ts';

const L40S = 'g6e.xlarge';
const PLACEMENT = {
  cloudCredentials: [
    { id: 'cred-aws', name: 'aws' },
    { id: 'cred-gcp', name: 'gcp' },
  ],
  workspaceGroups: ['group-west', 'group-east'],
};

describe('Placement', () => {
  const now = scene();

  it('features 3: asked for when a create needs it, kept beside the other lines, and used from then on', async () => {
    const { screen, add, list, calls, installCli, writeEnvFile, envFile } = now();
    await installCli({ dialect: 'tao', placement: PLACEMENT });
    writeEnvFile('# mine\nNGC_KEY=abc\n');
    await add('older', { workspaceGroupId: 'group-west' });
    await list();
    await create(screen, { type: L40S, name: 'first' });
    const credentials = await screen.quickInput(/Placement: Cloud Credential \(1\/2\)/);
    assert.match(credentials.placeholder, /who pays; kept for every later one/);
    assert.deepEqual(credentials.rows, ['aws, cred-aws', 'gcp, cred-gcp', 'Another id…']);
    await screen.pick('cred-gcp');
    const groups = await screen.quickInput(/Placement: Workspace Group \(2\/2\)/);
    assert.deepEqual(groups.rows, ['group-west', 'Another id…']);
    await screen.pick('Another id…');
    const typed = await screen.until('the question', ({ quickInput }) =>
      quickInput !== null && /Brev console shows both/.test(quickInput.message) ? quickInput : undefined,
    );
    assert.match(typed.message, /https:\/\/brev\.nvidia\.com\/org/);
    await screen.type('not an id');
    await screen.until('a refusal', ({ quickInput }) => quickInput?.invalid);
    await screen.type('group-east');
    await screen.accept();
    await screen.row('first');
    const text = readFileSync(envFile, 'utf8');
    assert.ok(text.startsWith('# mine\nNGC_KEY=abc\n'), text);
    assert.match(text, /^BREV_CLOUD_CRED_ID=cred-gcp$/m);
    assert.match(text, /^BREV_WORKSPACE_GROUP_ID=group-east$/m);
    assert.equal(statSync(envFile).mode & 0o777, 0o600);
    await create(screen, { type: L40S, name: 'second' });
    await screen.row('second');
    assert.deepEqual(await calls('create'), [
      'create first --type g6e.xlarge --detached',
      'create first --type g6e.xlarge --cloud-cred-id cred-gcp --workspace-group-id group-east --detached',
      'create second --type g6e.xlarge --cloud-cred-id cred-gcp --workspace-group-id group-east --detached',
    ]);
  });

  it('features 3: a CLI without placement is never sent any, and says that it takes none', async () => {
    const { screen, list, calls, writeEnvFile } = now();
    writeEnvFile('BREV_CLOUD_CRED_ID=cred-gcp\nBREV_WORKSPACE_GROUP_ID=group-east\n');
    await list();
    await create(screen, { type: L40S, name: 'plain' });
    await screen.row('plain');
    assert.deepEqual(await calls('create'), [`create plain --type ${L40S} --detached`]);
    void vscode.commands.executeCommand('brev.choosePlacement');
    await screen.notification(/takes no placement: Brev chooses the place itself/);
  });

  it('a placement that is left creates nothing', async () => {
    const { screen, list, calls, installCli, sim } = now();
    await installCli({ dialect: 'tao', placement: PLACEMENT });
    await list();
    await create(screen, { type: L40S, name: 'left' });
    await screen.quickInput(/Placement: Cloud Credential/);
    await screen.escape();
    await screen.noQuickInput();
    assert.equal((await calls('create')).length, 1);
    assert.equal((await sim.instances()).length, 0);
  });
});
