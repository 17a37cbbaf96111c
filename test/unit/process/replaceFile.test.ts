import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { replaceFile } from '../../../src/process/replaceFile.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/** A rename that is refused some times before it works, and how often it was called. */
function refusing(code: string, times: number) {
  const calls = { count: 0 };
  const move: typeof rename = async (from, to) => {
    calls.count++;
    if (calls.count <= times) {
      throw Object.assign(new Error(code), { code });
    }
    await rename(from, to);
  };
  return { calls, move };
}

describe('a file that is put in the place of another one', () => {
  for (const code of ['EBUSY', 'EPERM', 'EACCES']) {
    it(`users G: coder#841/#840 waits for whoever holds one of them: ${code}`, async (t) => {
      const folder = temporaryFolder(t);
      const [draft, file] = [path.join(folder, 'draft'), path.join(folder, 'file')];
      writeFileSync(draft, 'new');
      writeFileSync(file, 'old');
      const { calls, move } = refusing(code, 2);
      await replaceFile(draft, file, move);
      assert.equal(readFileSync(file, 'utf8'), 'new');
      assert.equal(existsSync(draft), false);
      assert.equal(calls.count, 3);
    });
  }

  it('is given up when it stays held, and at once for any other reason', async (t) => {
    const draft = path.join(temporaryFolder(t), 'draft');
    const held = refusing('EBUSY', 100);
    await assert.rejects(replaceFile(draft, draft, held.move), /EBUSY/);
    assert.ok(held.calls.count > 3 && held.calls.count < 10);
    const full = refusing('ENOSPC', 100);
    await assert.rejects(replaceFile(draft, draft, full.move), /ENOSPC/);
    assert.equal(full.calls.count, 1);
  });
});
