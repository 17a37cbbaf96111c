import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { taoEnvFile } from '../../../src/preflight/credentials.ts';
import { changeValues, readEnvFile, setValues } from '../../../src/preflight/envFile.ts';
import { failureOf, okValue, wordsOf } from './support/outcomes.ts';
import { put, temporaryHome } from './support/temporary-home.ts';

const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;

/** Runs as somebody who is not root, whom permissions don't stop. */
async function asNobody<T>(action: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) {
    return action();
  }
  process.setegid?.(65534);
  process.seteuid?.(65534);
  try {
    return await action();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

describe('readEnvFile', () => {
  it('takes no file for an empty one', async (t) => {
    const file = taoEnvFile(await temporaryHome(t));
    assert.deepEqual(okValue(await readEnvFile(file)), {
      path: file,
      exists: false,
      values: new Map(),
      ignoredLines: [],
      mode: undefined,
      tooOpen: false,
    });
  });

  it('tells values, lines that do nothing, and the mode', async (t) => {
    const file = await put(taoEnvFile(await temporaryHome(t)), 'A=1\nB 2\n', 0o640);
    const read = okValue(await readEnvFile(file));
    assert.deepEqual([...read.values], [['A', '1']]);
    assert.deepEqual(read.ignoredLines, [2]);
    assert.equal(read.mode, 0o640);
    assert.ok(read.tooOpen);
  });

  it('finds a mode too open when anybody else may do anything', async (t) => {
    const file = await put(taoEnvFile(await temporaryHome(t)), 'A=1\n');
    for (const [mode, tooOpen] of [
      [0o600, false],
      [0o400, false],
      [0o604, true],
      [0o620, true],
      [0o644, true],
    ] as const) {
      await chmod(file, mode);
      assert.equal(okValue(await readEnvFile(file)).tooOpen, tooOpen, mode.toString(8));
    }
  });

  it('does not take a fault above the file for its absence', async (t) => {
    const home = await temporaryHome(t);
    await put(path.join(home, '.config'), 'a file where a folder should be');
    const read = await readEnvFile(taoEnvFile(home));
    assert.equal(wordsOf(read), `${taoEnvFile(home)} could not be read (ENOTDIR).`);
  });
});

describe('a file that is no good', () => {
  const secret = 'hf_thisMustNotShowAnywhere';
  const kinds: readonly [string, (file: string) => Promise<unknown>, RegExp][] = [
    ['not UTF-8', (file) => put(file, Buffer.from([0x41, 0x3d, 0xff, 0xfe, 0x0a])), /not UTF-8/],
    ['UTF-16', (file) => put(file, Buffer.from(`\uFEFFA=${secret}\n`, 'utf16le')), /not UTF-8/],
    ['binary', (file) => put(file, `A=${secret}\n\0\0`), /not a text file/],
    ['an open quote', (file) => put(file, `A="${secret}\n`), /line 1 is not closed/],
    ['text behind a quote', (file) => put(file, `B=1\nA="${secret}"x\n`), /line 2 something stands behind/],
    ['no assignments', (file) => put(file, `{"token": "${secret}"}`), /not an env file/],
    ['too large', (file) => put(file, `A=${secret}\n#${'x'.repeat(300 * 1024)}`), /too large/],
    ['a folder', (file) => mkdir(file, { recursive: true }), /is a folder/],
    [
      'a pipe',
      async (file) => {
        await mkdir(path.dirname(file), { recursive: true });
        execFileSync('mkfifo', [file]);
      },
      /not an ordinary file/,
    ],
    [
      'a link to itself',
      async (file) => {
        await mkdir(path.dirname(file), { recursive: true });
        await symlink(file, file);
      },
      /could not be read \(ELOOP\)/,
    ],
  ];
  for (const [what, make, sentence] of kinds) {
    it(`is said and left alone: ${what}`, async (t) => {
      const file = taoEnvFile(await temporaryHome(t));
      await make(file);
      const before = await lstat(file);
      const content = before.isFile() ? await readFile(file) : undefined;

      for (const outcome of [await readEnvFile(file), await setValues(file, { NGC_KEY: 'x' })]) {
        assert.match(wordsOf(outcome), sentence);
        assert.ok(wordsOf(outcome).includes(file));
        assert.doesNotMatch(JSON.stringify(failureOf(outcome)), new RegExp(secret));
        assert.equal(failureOf(outcome).kind, 'localFile');
      }

      const after = await lstat(file);
      assert.deepEqual([after.ino, after.mode, after.mtimeMs], [before.ino, before.mode, before.mtimeMs]);
      if (content !== undefined) {
        assert.deepEqual(await readFile(file), content);
      }
      assert.deepEqual(await readdir(path.dirname(file)), ['.env']);
    });
  }

  it('is said and left alone: forbidden', async (t) => {
    const home = await temporaryHome(t);
    const file = await put(taoEnvFile(home), 'A=1\n');
    await chmod(home, 0o755);
    await chmod(file, 0o000);
    const [read, set] = await asNobody(
      async () => [await readEnvFile(file), await setValues(file, { A: '2' })] as const,
    );
    assert.match(wordsOf(read), /^You may not read .*\.env\. Check its permissions and owner\.$/);
    assert.match(wordsOf(set), /^You may not (read|write) /);
    await chmod(file, 0o600);
    assert.equal(await readFile(file, 'utf8'), 'A=1\n');
  });
});

describe('setValues', () => {
  it('makes the file and its folder for the user alone', async (t) => {
    const home = await temporaryHome(t);
    const file = taoEnvFile(home);
    okValue(await setValues(file, { NGC_KEY: 'nvapi-x y', A: '1' }));
    assert.equal(await readFile(file, 'utf8'), "NGC_KEY='nvapi-x y'\nA=1\n");
    assert.equal(await modeOf(file), 0o600);
    assert.equal(await modeOf(path.dirname(file)), 0o700);
    assert.deepEqual(await readdir(path.dirname(file)), ['.env']);
  });

  it('closes a file that was open to others, and leaves its folder as it is', async (t) => {
    const file = await put(taoEnvFile(await temporaryHome(t)), '# mine\r\nA=1\r\n', 0o644);
    await chmod(path.dirname(file), 0o755);
    okValue(await setValues(file, { A: '2' }));
    assert.equal(await readFile(file, 'utf8'), '# mine\r\nA=2\r\n');
    assert.equal(await modeOf(file), 0o600);
    assert.equal(await modeOf(path.dirname(file)), 0o755);
  });

  it('replaces the file at once: a reader has the old text or the new one', async (t) => {
    const file = await put(taoEnvFile(await temporaryHome(t)), `A=1\n${'# x\n'.repeat(10_000)}`);
    const before = await stat(file);
    okValue(await setValues(file, { A: '2' }));
    assert.notEqual((await stat(file)).ino, before.ino);
  });

  it('follows links to the file, which stay links', async (t) => {
    const home = await temporaryHome(t);
    const target = await put(path.join(home, 'dotfiles', 'tao.env'), 'A=1\n');
    const file = taoEnvFile(home);
    await mkdir(path.dirname(file), { recursive: true });
    await symlink('../../dotfiles/link', file);
    await symlink('tao.env', path.join(home, 'dotfiles', 'link'));
    okValue(await setValues(file, { B: '2' }));
    assert.equal(await readFile(target, 'utf8'), 'A=1\nB=2\n');
    assert.ok((await lstat(file)).isSymbolicLink());
    assert.deepEqual((await readdir(path.dirname(target))).sort(), ['link', 'tao.env']);
  });

  it('follows a relative link inside a linked folder', async (t) => {
    const home = await temporaryHome(t);
    await mkdir(path.join(home, 'a', 'b'), { recursive: true });
    await mkdir(path.join(home, '.config'));
    await symlink(path.join(home, 'a', 'b'), path.join(home, '.config', 'tao'));
    await symlink('../real.env', path.join(home, 'a', 'b', '.env'));
    okValue(await setValues(taoEnvFile(home), { A: '1' }));
    assert.equal(await readFile(path.join(home, 'a', 'real.env'), 'utf8'), 'A=1\n');
  });

  it('makes the target of a link that leads nowhere yet', async (t) => {
    const home = await temporaryHome(t);
    const file = taoEnvFile(home);
    await mkdir(path.dirname(file), { recursive: true });
    await symlink('../../secrets/new.env', file);
    okValue(await setValues(file, { A: '1' }));
    assert.equal(await readFile(path.join(home, 'secrets', 'new.env'), 'utf8'), 'A=1\n');
  });

  it('refuses what cannot stand in the file, and says no value', async (t) => {
    const home = await temporaryHome(t);
    const file = taoEnvFile(home);
    const badKey = await setValues(file, { GOOD: '1', 'A B': 'topsecret' });
    assert.match(wordsOf(badKey), /^"A B" cannot be the name of a value/);
    const badValue = await setValues(file, { GOOD: '1', NGC_KEY: 'topsecret\nEVIL=1' });
    assert.equal(wordsOf(badValue), 'The value of NGC_KEY must be one line of text.');
    assert.doesNotMatch(JSON.stringify([badKey, badValue]), /topsecret/);
    assert.deepEqual(await readdir(home), [], 'not even a folder is made');
  });

  it('keeps a byte order mark', async (t) => {
    const file = await put(taoEnvFile(await temporaryHome(t)), '\uFEFFA=1\n');
    okValue(await setValues(file, { A: '2' }));
    assert.equal(await readFile(file, 'utf8'), '\uFEFFA=2\n');
  });

  it('can depend on what the file says', async (t) => {
    const file = await put(taoEnvFile(await temporaryHome(t)), 'A=1\nB=2\n');
    okValue(await changeValues(file, (now) => ({ A: now.get('B') ?? '', B: now.get('A') ?? '' })));
    assert.equal(await readFile(file, 'utf8'), 'A=2\nB=1\n');
  });

  it('keeps what an editor saved in between, without our lock', async (t) => {
    const file = await put(taoEnvFile(await temporaryHome(t)), 'A=1\n');
    const seen: unknown[] = [];
    okValue(
      await changeValues(file, (now) => {
        seen.push(Object.fromEntries(now));
        if (seen.length === 1) {
          writeFileSync(file, 'A=1\nEDITED=by hand\n');
        }
        return { A: '2' };
      }),
    );
    assert.deepEqual(seen, [{ A: '1' }, { A: '1', EDITED: 'by hand' }]);
    assert.equal(await readFile(file, 'utf8'), 'A=2\nEDITED=by hand\n');
  });

  it('gives up when the file changes all the time, and leaves it as it is', async (t) => {
    const file = await put(taoEnvFile(await temporaryHome(t)), '#\n');
    let text = '#';
    const outcome = await changeValues(file, () => {
      text += '#';
      writeFileSync(file, text);
      return { A: '2' };
    });
    assert.equal(wordsOf(outcome), `${file} is being changed by another program. Try again.`);
    assert.equal(await readFile(file, 'utf8'), text);
    assert.deepEqual(await readdir(path.dirname(file)), ['.env']);
  });

  it('keeps the changes of writers at the same time', async (t) => {
    const file = await put(taoEnvFile(await temporaryHome(t)), '# head\n');
    const keys = Array.from({ length: 25 }, (_, index) => `KEY_${index}`);
    await Promise.all(keys.map(async (key) => okValue(await setValues(file, { [key]: key.toLowerCase() }))));
    const read = okValue(await readEnvFile(file));
    assert.deepEqual(
      Object.fromEntries(read.values),
      Object.fromEntries(keys.map((key) => [key, key.toLowerCase()])),
    );
    assert.deepEqual(await readdir(path.dirname(file)), ['.env']);
  });

  it('takes over the lock of a writer that died', async (t) => {
    const file = await put(taoEnvFile(await temporaryHome(t)), 'A=1\n');
    await put(path.join(`${file}.lock`, 'draft-of-the-dead'), 'half a se');
    await utimes(`${file}.lock`, 1_700_000_000, 1_700_000_000);
    okValue(await setValues(file, { A: '2' }));
    assert.equal(await readFile(file, 'utf8'), 'A=2\n');
    assert.deepEqual(await readdir(path.dirname(file)), ['.env']);
  });

  it('says that the folder cannot be written', async (t) => {
    const home = await temporaryHome(t);
    await put(path.join(home, '.config'), '');
    assert.match(
      wordsOf(await setValues(taoEnvFile(home), { A: '1' })),
      /could not be written \((ENOTDIR|EEXIST)\)/,
    );
  });
});
