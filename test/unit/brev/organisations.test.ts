import assert from 'node:assert/strict';
import { it } from 'node:test';
import { listOrganisations, setOrganisation } from '../../../src/brev/organisations.ts';

const command = listOrganisations({ organisationsArgs: ['ls', 'orgs', '--json'] });
const parse = (value: unknown) => command.parse({ stdout: JSON.stringify(value), stderr: '' });

it('organisations are asked for in the words of the installed CLI', () => {
  assert.deepEqual(command.args, ['ls', 'orgs', '--json']);
  assert.deepEqual(listOrganisations({ organisationsArgs: ['orgs', '--json'] }).args, ['orgs', '--json']);
  assert.equal(command.readOnly, true);
});

it('organisations are read in both dialects, one bad row or field beside good ones', () => {
  const outcome = parse([
    { id: 'o1', name: 'research', is_active: true },
    { id: 'o2', name: null, cloudCredentials: [{ id: 'c1' }, { id: 'c2', name: 'gcp' }] },
    { name: 'no id' },
    { id: 'o3', cloudCredentials: 'x', is_active: 'yes' },
  ]);
  assert.ok(outcome.kind === 'ok');
  assert.deepEqual(
    outcome.value.map(({ id, name, is_active, cloudCredentials }) => [
      id,
      name,
      is_active,
      cloudCredentials.map((each) => each.id),
    ]),
    [
      ['o1', 'research', true, []],
      ['o2', '', false, ['c1', 'c2']],
      ['o3', '', false, []],
    ],
  );
  assert.deepEqual(parse([]), { kind: 'ok', value: [] });
});

it('what is no list of organisations is not taken for none', () => {
  for (const value of [null, {}, 7, 'x', { organisations: [] }]) {
    assert.equal(parse(value).kind, 'failed');
  }
  assert.equal(command.parse({ stdout: '<html>', stderr: '' }).kind, 'failed');
});

it('an organisation is chosen by its name', () => {
  assert.deepEqual(setOrganisation('Vision Lab').args, ['set', 'Vision Lab']);
  assert.equal(setOrganisation('x').readOnly, false);
});
