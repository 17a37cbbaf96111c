import assert from 'node:assert/strict';
import { it } from 'node:test';
import { packFiles, packParts, partCount } from '../../../src/remote/uploadParts.ts';

const file = (path: string, length: number) => ({ path, content: new Uint8Array(length).fill(7) });
/** What the words of a part take on a command line. */
const onLine = (parts: readonly { readonly path: string; readonly content: Uint8Array }[]) =>
  parts.reduce(
    (sum, { path, content }) => sum + path.length + Buffer.from(content).toString('base64').length + 8,
    0,
  );

it('parts of files are all of their bytes, each part once, in order', () => {
  const files = [file('a', 0), file('b', 1), file('c', 59_999), file('d', 60_001), file('e', 200_000)];
  const parts = packParts(files).flat();
  for (const { path, content } of files) {
    const its = parts.filter((part) => part.path === path);
    assert.deepEqual(
      its.map(({ part }) => part),
      Array.from({ length: partCount(content) }, (_, index) => String(index)),
    );
    assert.ok(Buffer.concat(its.map((part) => part.content)).equals(Buffer.from(content)), path);
  }
});

it('no command line is too long, whatever the files are', () => {
  for (const files of [
    [file('big', 2_000_000)],
    Array.from({ length: 5_000 }, (_, index) =>
      file(`a/folder/with/a/long/name/and/a/file/with/another-${index}`, index % 3),
    ),
    Array.from({ length: 50 }, (_, index) => file(`f${index}`, 30_000)),
    Array.from({ length: 300 }, () => file("'".repeat(200), 10)),
  ]) {
    for (const parts of packParts(files)) {
      assert.ok(parts.length > 0);
      assert.ok(onLine(parts) < 100_000, String(onLine(parts)));
    }
    for (const group of packFiles(files)) {
      assert.ok(group.reduce((sum, { path }) => sum + path.length + 72, 0) < 100_000);
    }
    assert.equal(packFiles(files).flat().length, files.length);
  }
});

it('small files share a line', () => {
  assert.equal(packParts([file('a', 100), file('b', 100), file('c', 20_000)]).length, 1);
});
