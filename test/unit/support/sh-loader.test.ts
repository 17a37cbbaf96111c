import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it } from 'node:test';
import wrapper from '../../../src/remote/wrapper.sh';

it('imports a remote script as its text', async () => {
  const file = new URL('../../../src/remote/wrapper.sh', import.meta.url);
  assert.equal(wrapper, await readFile(file, 'utf8'));
});
