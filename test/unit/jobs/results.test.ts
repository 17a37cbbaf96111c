import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changedBetween, forUpload } from '../../../src/jobs/results.ts';
import { batchesOf, PART_BYTES, piecesOf } from '../../../src/jobs/resultsParts.ts';
import { fileSize } from '../../../src/values/fileSize.ts';

const file = (path: string, bytes = 1, modified = 0) => ({ path, bytes, modified });

describe('what changed between two listings', () => {
  const before = { files: [file('a'), file('b'), file('c')], links: [{ path: 'l', target: 'a' }] };

  it('is nothing when all is the same, in whatever order', () => {
    const after = { files: [file('c'), file('a'), file('b')], links: before.links };
    assert.deepEqual(changedBetween(before, after), []);
  });

  it('is each file that came, went, grew or was rewritten, and each link', () => {
    const after = {
      files: [file('b', 2), file('c', 1, 5), file('d')],
      links: [{ path: 'l', target: 'b' }],
    };
    assert.deepEqual(new Set(changedBetween(before, after)), new Set(['a', 'b', 'c', 'd', 'l']));
  });

  it('sees a file that became a link', () => {
    const after = { files: [file('b'), file('c')], links: [...before.links, { path: 'a', target: 'b' }] };
    assert.deepEqual(changedBetween(before, after), ['a']);
  });
});

describe('what is uploaded', () => {
  it('is all but what lies in a folder .tao', () => {
    const names = ['.tao/x', 'train/.tao/y/z', '.tao', 'train/.taox/a', 'train/a'];
    assert.deepEqual(
      forUpload(names.map((name) => file(name))).map(({ path }) => path),
      ['.tao', 'train/.taox/a', 'train/a'],
    );
  });

  it('is one piece for a small file, and for a large one pieces that make it up', () => {
    assert.deepEqual(piecesOf(file('empty', 0)), [
      { file: file('empty', 0), offset: 0, bytes: 0, number: undefined },
    ]);
    assert.equal(piecesOf(file('even', PART_BYTES)).length, 1);
    for (const bytes of [PART_BYTES + 1, 6e9, 5e12]) {
      const pieces = piecesOf(file('large', bytes));
      assert.ok(pieces.length <= 1_000);
      let offset = 0;
      for (const [index, piece] of pieces.entries()) {
        assert.deepEqual([piece.offset, piece.number], [offset, index + 1]);
        // all but the last one have the least size that S3 takes
        assert.ok(piece.bytes >= 5 * 1024 * 1024 || index === pieces.length - 1);
        assert.ok(piece.bytes > 0 && piece.bytes <= 5 * 1024 ** 3);
        offset += piece.bytes;
      }
      assert.equal(offset, bytes);
    }
  });

  it('is sent in batches that keep their order, each of a bearable size', () => {
    const files = [file('huge', 6e9), ...Array.from({ length: 450 }, (_, index) => file(`s${index}`, 10))];
    const pieces = files.flatMap((each) => piecesOf(each));
    const batches = batchesOf(pieces);
    assert.deepEqual(batches.flat(), pieces);
    for (const batch of batches) {
      assert.ok(batch.length > 0 && batch.length <= 200);
      assert.ok(batch.reduce((total, piece) => total + piece.bytes, 0) <= 2 * PART_BYTES);
    }
    assert.ok(batches.length < 20);
    assert.deepEqual(batchesOf([]), []);
  });

  it('has a size in words', () => {
    const words: readonly [number, string][] = [
      [0, '0 bytes'],
      [999, '999 bytes'],
      [1_000, '1.0 kB'],
      [99_949, '99.9 kB'],
      [99_950, '100 kB'],
      [999_499, '999 kB'],
      [999_500, '1.0 MB'],
      [3_240_000_000, '3.2 GB'],
      [5e15, '5000 TB'],
    ];
    for (const [bytes, text] of words) assert.equal(fileSize(bytes), text);
  });
});
