import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';
import { changeMode } from '../../../src/preflight/changeMode.ts';
import { okValue, wordsOf } from './support/outcomes.ts';
import { put, temporaryHome } from './support/temporary-home.ts';

it('changes the mode', async (t) => {
  const file = await put(path.join(await temporaryHome(t), 'f'), 'A=1\n', 0o644);
  okValue(await changeMode(file, 0o600));
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

it('says why it could not', async (t) => {
  const file = path.join(await temporaryHome(t), 'f');
  assert.equal(
    wordsOf(await changeMode(file, 0o600)),
    `The permissions of ${file} could not be changed (ENOENT).`,
  );
});
