import assert from 'node:assert/strict';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { prepareUpload } from '../../../src/remote/prepareUpload.ts';
import { inEnglish } from '../../../src/values/message.ts';
import { startSshMachine } from '../../support/ssh-machine.ts';

const options = { timeoutMs: 60_000, signal: new AbortController().signal };

async function machine(t: TestContext) {
  const { dispose, shell, sshd } = await startSshMachine();
  t.after(dispose);
  return { home: sshd.home, shell };
}

describe('the place of an upload', () => {
  it('is made where it is not there yet, and is the home directory when none is named', async (t) => {
    const { home, shell } = await machine(t);
    const made = await prepareUpload(shell, 'data/new one/', ['a.csv'], options);
    assert.ok(made.kind === 'ok', JSON.stringify(made));
    assert.deepEqual(made.value, { path: path.join(home, 'data/new one'), taken: [] });
    assert.ok(existsSync(path.join(home, 'data/new one')));
    const start = await prepareUpload(shell, '', ['data'], options);
    assert.ok(start.kind === 'ok', JSON.stringify(start));
    assert.deepEqual(start.value, { path: home, taken: ['data'] });
  });

  it('tells each name that is taken, in a folder with more entries than anybody lists', async (t) => {
    const { home, shell } = await machine(t);
    const many = path.join(home, 'many');
    mkdirSync(many);
    for (let file = 0; file < 2_050; file++) writeFileSync(path.join(many, `image-${file}.png`), '');
    symlinkSync('nowhere', path.join(many, '-odd\n$x'));
    const names = Array.from({ length: 2_050 }, (_, file) => `image-${file}.png`);
    const looked = await prepareUpload(shell, many, [...names, '-odd\n$x', 'new.png'], options);
    assert.ok(looked.kind === 'ok', JSON.stringify(looked));
    assert.deepEqual(looked.value.taken, [...names, '-odd\n$x']);
  });

  it('that is a file, or not of this user, is said to be so', async (t) => {
    const { home, shell } = await machine(t);
    writeFileSync(path.join(home, 'file'), 'x');
    const file = await prepareUpload(shell, 'file', [], options);
    assert.ok(file.kind === 'failed');
    assert.match(inEnglish(file.failure.message), /^file is no folder/);
    const below = await prepareUpload(shell, 'file/sub', [], options);
    assert.ok(below.kind === 'failed');
    assert.match(inEnglish(below.failure.message), /may not write into file\/sub/);
  });
});
