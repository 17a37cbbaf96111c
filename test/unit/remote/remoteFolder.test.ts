import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { listFolder, lookAt } from '../../../src/remote/remoteFolder.ts';
import { inEnglish } from '../../../src/values/message.ts';
import { startSshMachine } from '../../support/ssh-machine.ts';

const options = { timeoutMs: 60_000, signal: new AbortController().signal };

async function machine(t: TestContext) {
  const { dispose, shell, sshd } = await startSshMachine();
  t.after(dispose);
  return { home: sshd.home, shell };
}

describe('a folder on an instance', () => {
  it('has its folders first, sizes, links, and names with anything in them', async (t) => {
    const { home, shell } = await machine(t);
    const data = path.join(home, 'data');
    mkdirSync(path.join(data, 'zebra'), { recursive: true });
    const odd = 'it\'s\n"odd" 学習 $x';
    writeFileSync(path.join(data, odd), '12345');
    symlinkSync('zebra', path.join(data, 'to-folder'));
    symlinkSync('nowhere', path.join(data, 'broken'));
    const listed = await listFolder(shell, 'data', options);
    assert.ok(listed.kind === 'ok', JSON.stringify(listed));
    assert.equal(listed.value.path, data);
    assert.deepEqual(
      listed.value.entries.map(({ name, kind, isLink }) => [name, kind, isLink]),
      [
        ['to-folder', 'folder', true],
        ['zebra', 'folder', false],
        ['broken', 'other', true],
        [odd, 'file', false],
      ],
    );
    assert.equal(listed.value.entries.at(-1)?.bytes, 5);
    assert.ok(Math.abs((listed.value.entries.at(-1)?.modifiedAt ?? 0) - Date.now()) < 600_000);
    assert.equal(listed.value.isCut, false);
  });

  it('whose own name has lines is listed, and so is what is in it', async (t) => {
    const { home, shell } = await machine(t);
    const odd = path.join(home, 'two\nlines');
    mkdirSync(odd);
    writeFileSync(path.join(odd, 'inside'), '12');
    const listed = await listFolder(shell, odd, options);
    assert.ok(listed.kind === 'ok', JSON.stringify(listed));
    assert.equal(listed.value.path, odd);
    assert.deepEqual(
      listed.value.entries.map(({ name }) => name),
      ['inside'],
    );
    const file = await lookAt(shell, path.join(odd, 'inside'), options);
    assert.ok(file.kind === 'ok' && file.value.bytes === 2, JSON.stringify(file));
  });

  it('is the home directory when none is named, and says when it is cut', async (t) => {
    const { home, shell } = await machine(t);
    const many = path.join(home, 'many');
    mkdirSync(many);
    for (let file = 0; file < 2_050; file++) writeFileSync(path.join(many, `image-${file}.png`), '');
    const start = await listFolder(shell, '', options);
    assert.ok(start.kind === 'ok');
    assert.equal(start.value.path, home);
    const listed = await listFolder(shell, many, options);
    assert.ok(listed.kind === 'ok', JSON.stringify(listed));
    assert.equal(listed.value.entries.length, 2_000);
    assert.ok(listed.value.isCut);
  });

  it('that is gone, or is a file, is said to be so', async (t) => {
    const { home, shell } = await machine(t);
    writeFileSync(path.join(home, 'file'), 'x');
    const gone = await listFolder(shell, '/no/such', options);
    assert.ok(gone.kind === 'failed');
    assert.match(inEnglish(gone.failure.message), /no \/no\/such on the instance/);
    const file = await listFolder(shell, 'file', options);
    assert.ok(file.kind === 'failed');
    assert.match(inEnglish(file.failure.message), /is no folder/);
    const one = await lookAt(shell, path.join(home, 'file'), options);
    assert.ok(one.kind === 'ok');
    assert.deepEqual([one.value.kind, one.value.bytes], ['file', 1]);
  });
});
