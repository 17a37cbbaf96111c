import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSpec } from '../../../src/tao/specScalars.ts';
import { inEnglish } from '../../../src/values/message.ts';

async function scalarsOf(text: string | Uint8Array): Promise<readonly string[]> {
  const reading = await readSpec(text);
  if (reading.kind !== 'read') throw new Error(`not read: ${JSON.stringify(reading)}`);
  return reading.scalars.map(({ keyPath, value, line }) => `${line} ${keyPath.join('.')} ${value}`);
}

async function problemOf(text: string | Uint8Array): Promise<string> {
  const reading = await readSpec(text);
  if (reading.kind !== 'unreadable') throw new Error(`no problem: ${JSON.stringify(reading)}`);
  return `${reading.line ?? '-'}: ${inEnglish(reading.problem)}`;
}

describe('readSpec', () => {
  it('gives each text with its keys and its line', async () => {
    const text = [
      '# a comment: /not/a/value',
      'results_dir: /results',
      'dataset:',
      '  sources:',
      '    - image_dir: "/data/a b" # why',
      "      json_file: '/data/it''s.json'",
      '  list: [ /x, {y: /z} ]',
      'number: 3',
      'nothing:',
    ].join('\n');
    assert.deepEqual(await scalarsOf(text), [
      '2 results_dir /results',
      '5 dataset.sources.0.image_dir /data/a b',
      "6 dataset.sources.0.json_file /data/it's.json",
      '7 dataset.list.0 /x',
      '7 dataset.list.1.y /z',
    ]);
  });

  it('reads files from Windows, with byte-order mark and CRLF', async () => {
    const text = '\ufeffa: /x\r\nb:\r\n  c: "/y"\r\n';
    const expected = ['1 a /x', '3 b.c /y'];
    assert.deepEqual(await scalarsOf(text), expected);
    assert.deepEqual(await scalarsOf(new TextEncoder().encode(text)), expected);
  });

  it('puts an alias of a text in, and leaves an alias of more alone', async () => {
    assert.deepEqual(await scalarsOf('a: &x /data\nb: *x\nc: &m {d: /e}\nf: *m\ng:\n  <<: *m\n'), [
      '1 a /data',
      '2 b /data',
      '3 c.d /e',
    ]);
    assert.match(await problemOf('a: *nowhere'), /^1: .*nowhere/);
  });

  it('does not multiply what aliases multiply', async () => {
    const levels = Array.from({ length: 40 }, (_, index) => {
      const above = Array.from({ length: 9 }, () => `*a${index}`).join(', ');
      return `a${index + 1}: &a${index + 1} [${above}]`;
    });
    assert.deepEqual(await scalarsOf(['a0: &a0 [/bomb]', ...levels].join('\n')), ['1 a0.0 /bomb']);
  });

  it('says in which line a spec is broken', async () => {
    assert.match(await problemOf('a:\n\tb: 1'), /^2: .*tab/);
    assert.match(await problemOf('a: 1\nb:\n  c: 1\n  d: 2\n  c: 3'), /^5: .* c twice/);
    assert.match(await problemOf('a: b\n---\nc: d'), /^\d: .*second document/);
    assert.match(await problemOf('a: "b\nc: d'), /^2: .*not valid YAML/);
    assert.match(await problemOf('a: 1\nb: \u0000'), /^2: .*control character/);
    assert.match(await problemOf(''), /^1: .*empty/);
    assert.match(await problemOf('# nothing'), /^1: .*empty/);
    assert.match(await problemOf('- a\n- b'), /^1: .*empty/);
    assert.match(await problemOf(Uint8Array.of(0xff, 0xfe, 0x61, 0)), /^-: .*UTF-8/);
  });

  it('keeps apart keys that only look the same', async () => {
    assert.deepEqual(await scalarsOf('a: {k: /1}\nb: {k: /2}\n<<: {c: /3}\n? [x]\n: /4\n? [y]\n: /5\n'), [
      '1 a.k /1',
      '2 b.k /2',
      '3 <<.c /3',
      '5 ? /4',
      '7 ? /5',
    ]);
  });

  it('refuses nesting without end, and what is too large', async () => {
    for (const text of ['['.repeat(50_000), 'a: '.repeat(5_000), `a: ${'['.repeat(150)}${']'.repeat(150)}`]) {
      assert.equal((await readSpec(text)).kind, 'unreadable');
    }
    assert.match(await problemOf(`a: ${'['.repeat(150)}x${']'.repeat(150)}`), /nested too deeply/);
    assert.deepEqual(await readSpec(`a: ${'x'.repeat(300_000)}`), { kind: 'tooLarge' });
  });
});
