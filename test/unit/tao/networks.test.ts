import assert from 'node:assert/strict';
import { it } from 'node:test';
import { actionsOf, networks } from '../../../src/tao/networks.ts';

it('each network has actions, and can be a command', () => {
  assert.ok(Object.keys(networks).length >= 25);
  for (const [name, actions] of Object.entries(networks)) {
    assert.match(name, /^[a-z][a-z0-9_]*$/);
    assert.ok(actions.includes('train'), name);
    assert.equal(new Set(actions).size, actions.length, name);
    assert.deepEqual(actionsOf(name), actions);
  }
});

it('a network that is not known has the common actions, whatever somebody typed', () => {
  for (const name of ['', 'my_network', 'constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    const actions = actionsOf(name);
    assert.ok(Array.isArray(actions), name);
    assert.ok(actions.includes('train') && actions.includes('export'), name);
  }
});
