import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freeName, isUsableName, MAX_NAME_LENGTH } from '../../../src/brev/instanceName.ts';
import { ODD_NAMES } from './outcomes.ts';

it('a usable name is what the CLI itself would take', () => {
  for (const name of ODD_NAMES) {
    assert.equal(isUsableName(name), false, JSON.stringify(name));
  }
  for (const name of ['a', '0', 'gpu-1', 'A.b_c-D', 'a'.repeat(63)]) {
    assert.equal(isUsableName(name), true, name);
  }
});

describe('freeName', () => {
  it('counts on from what is taken', () => {
    assert.equal(freeName('tao-l40s', []), 'tao-l40s');
    assert.equal(freeName('tao-l40s', ['tao-l40s']), 'tao-l40s-2');
    assert.equal(freeName('tao-l40s', ['tao-l40s', 'tao-l40s-2', 'tao-l40s-4']), 'tao-l40s-3');
  });

  it('is usable and free whatever it is made from', () => {
    for (const base of [...ODD_NAMES, 'RTX PRO 6000 (Blackwell)', 'x'.repeat(200), '---', '...a']) {
      const taken: string[] = [];
      for (let count = 0; count < 12; count++) {
        const name = freeName(base, taken);
        assert.ok(isUsableName(name), JSON.stringify([base, name]));
        assert.ok(name.length <= MAX_NAME_LENGTH);
        assert.ok(!taken.includes(name));
        taken.push(name);
      }
    }
  });
});
