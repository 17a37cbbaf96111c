import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Place } from '../../../../src/tao/spec/place.ts';
import { parseSpec, type SpecDocument } from '../../../../src/tao/spec/specDocument.ts';
import { inEnglish } from '../../../../src/values/message.ts';

const where = (place: Place | undefined): string =>
  place === undefined ? '-' : `${place.line}:${place.column}+${place.length}`;

async function read(text: string | Uint8Array): Promise<SpecDocument> {
  const parsing = await parseSpec(text);
  return parsing.kind === 'read' ? parsing.document : assert.fail(JSON.stringify(parsing));
}

async function faultsOf(text: string | Uint8Array): Promise<readonly string[]> {
  const parsing = await parseSpec(text);
  return parsing.kind === 'unreadable'
    ? parsing.faults.map(({ place, problem }) => `${where(place)} ${inEnglish(problem)}`)
    : [parsing.kind];
}

describe('a spec', () => {
  it('is read with the kind, the value and the places of everything in it', async () => {
    const text = 'a: 1\nb:\n  - x\n  - {c: true}\n"d e": null\nf: >\n  folded\n  text\ng: &g 0.5\nh: *g\n';
    const { entries } = await read(text);
    assert.deepEqual(
      entries.map(
        ({ keyPath, kind, value, place, keyPlace }) =>
          `${keyPath.join('.')} ${kind} ${JSON.stringify(value)} ${where(place)} by ${where(keyPlace)}`,
      ),
      [
        ' map null 1:1+4 by 1:1+4',
        'a number 1 1:4+1 by 1:1+1',
        'b list null 3:3+3 by 2:1+1',
        'b.0 text "x" 3:5+1 by 3:5+1',
        'b.1 map null 4:5+9 by 4:5+9',
        'b.1.c boolean true 4:9+4 by 4:6+1',
        'd e null null 5:8+4 by 5:1+5',
        'f text "folded text\\n" 6:4+1 by 6:1+1',
        'g number 0.5 9:7+3 by 9:1+1',
        'h number 0.5 10:4+2 by 10:1+1',
      ],
    );
  });

  it('has the same places with Windows line ends and a byte-order mark, and says so', async () => {
    const text = 'results_dir: /results\nmodel:\n  a: x\n';
    const plain = await read(text);
    const windows = text.replaceAll('\n', '\r\n');
    for (const other of [windows, `\ufeff${text}`, Buffer.from(`\ufeff${windows}`)]) {
      const { entries, remarks } = await read(other);
      assert.deepEqual(entries, plain.entries);
      assert.ok(remarks.length > 0 && remarks.every(({ isHarmless }) => isHarmless));
    }
    assert.deepEqual(
      (await read(windows)).remarks.map(({ place }) => where(place)),
      ['1:22+1'],
    );
    assert.deepEqual(plain.remarks, []);
  });

  it('that cannot be read says where, for every place', async () => {
    assert.match((await faultsOf('a: 1\nb:\n\tc: 1')).join(), /^3:1\+\d+ .*tab/);
    const twice = await faultsOf('a: 1\nb: {c: 1, c: 2}\na: 3\nd:\n  e: 1\n  e: 2\n');
    assert.deepEqual(
      twice.map((fault) => fault.split(' ', 1)[0]),
      ['2:11+1', '3:1+1', '6:3+1'],
    );
    assert.match(twice[0] ?? '', /gives c twice/);
    assert.deepEqual(await faultsOf('a: *b'), [
      '1:4+2 Line 1 of the spec uses *b, which is not defined above it.',
    ]);
    assert.match((await faultsOf('a: b\nc: \u0007')).join(), /^2:4\+1 .*control character/);
    assert.match((await faultsOf(Uint8Array.of(0x61, 0xff))).join(), /^- .*UTF-8/);
    assert.equal((await faultsOf(Array.from({ length: 500 }, () => 'a: 1').join('\n'))).length, 51);
    assert.deepEqual(await faultsOf(`a: ${'x'.repeat(300_000)}`), ['tooLarge']);
  });

  it('whose aliases explode is told, where they do', async () => {
    const level = (index: number): string =>
      `a${index + 1}: &a${index + 1} [${Array.from({ length: 9 }, () => `*a${index}`).join(', ')}]`;
    const bomb = ['a0: &a0 [x]', ...Array.from({ length: 40 }, (_, index) => level(index))].join('\n');
    const { remarks, entries } = await read(bomb);
    assert.equal(remarks.length, 1);
    assert.equal(remarks[0]?.isHarmless, false);
    assert.match(
      inEnglish(remarks[0]?.problem ?? { template: '', args: [] }),
      /\*a5 .*grows beyond 100000 values/,
    );
    assert.equal(remarks[0]?.place?.line, 7);
    assert.ok(entries.length < 1000);
    const itself = await read('a: &a\n  b: *a\n');
    assert.deepEqual(
      itself.remarks.map(({ place }) => where(place)),
      ['2:6+2'],
    );
  });

  it('may be as odd as it likes', async () => {
    for (const text of [
      '['.repeat(30_000),
      '{'.repeat(30_000),
      '- '.repeat(20_000),
      '? '.repeat(20_000),
      `a: ${'&x '.repeat(1000)}`,
      `a: ${'!t '.repeat(1000)}`,
      `a: ["${'", "'.repeat(10_000)}"]`,
      Array.from({ length: 8_000 }, (_, index) => `k${index}: 1`).join('\n'),
      `a: {${Array.from({ length: 8_000 }, (_, index) => `k${index}: 1`).join(',')}}`,
      '%YAML 9.9\n---\na: b',
      '--- |\n text',
      'a: !!binary 0\nb: !!timestamp 2001-01-01\n? {c: d}\n: e\n',
      '\u2028: \u2029',
    ]) {
      const { kind } = await parseSpec(text);
      assert.match(kind, /^(?:read|unreadable|tooLarge)$/);
    }
  });
});
