import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Redactor } from '../../../src/process/redact.ts';
import { RedactedStream } from '../../../src/process/redactedStream.ts';

const KNOWN = 'correct-horse-battery';
const SHAPED = 'nvapi-abcdefghij0123456789';

function redactor(): Redactor {
  const made = new Redactor();
  made.addSecret(KNOWN);
  return made;
}

test('a secret that is cut anywhere, with a flush at the cut, is never shown', () => {
  for (const secret of [KNOWN, SHAPED]) {
    const text = `loading key ${secret} done\nnext line\n`;
    for (let cut = 1; cut < text.length; cut++) {
      const stream = new RedactedStream(redactor());
      const shown =
        stream.push(text.slice(0, cut)) + stream.flush() + stream.push(text.slice(cut)) + stream.end();
      assert.equal(shown, 'loading key *** done\nnext line\n', `cut at ${cut}`);
    }
  }
});

test('an unfinished line without a secret is shown by a flush', () => {
  const stream = new RedactedStream(redactor());
  assert.equal(stream.push('Epoch 1/10'), '');
  assert.equal(stream.flush(), 'Epoch 1/10');
});

test('a line that never ends does not fill the memory', () => {
  const stream = new RedactedStream(redactor());
  let shown = 0;
  for (let index = 0; index < 100; index++) {
    shown += stream.push('x'.repeat(10_000)).length;
  }
  assert.ok(shown >= 1_000_000 - 3 * 64 * 1024, `${shown} characters were given out`);
});
