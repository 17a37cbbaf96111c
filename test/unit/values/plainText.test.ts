import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { plainText } from '../../../src/values/plainText.ts';

describe('plainText', () => {
  it('takes control sequences away and leaves the words', () => {
    for (const [text, plain] of [
      ['\u001b[31mred\u001b[0m', 'red'],
      ['\u001b[38;20mgrey\u001b[0;1;4m', 'grey'],
      ['\u001b[2K\u001b[1A\u001b[?25lup', 'up'],
      ['\u001b]0;title\u0007after', 'after'],
      ['\u001b]8;;https://example.com\u001b\\link\u001b]8;;\u001b\\', 'link'],
      ['\u001b(Bplain\u001b=\u001b7\u001bM', 'plain'],
      ['\u001bPdevice\u001b\\after', 'after'],
      ['bell\u0007 null\0 backspace\b del\u007f c1\u0085', 'bell null backspace del c1'],
      ['tab\tline\nreturn\rend', 'tab\tline\nreturn\rend'],
      ['学習 🚀 é', '学習 🚀 é'],
      ['[not a sequence] 31m', '[not a sequence] 31m'],
      ['cut \u001b', 'cut '],
    ] as const) {
      assert.equal(plainText(text), plain, JSON.stringify(text));
    }
  });

  it('is linear, also in sequences that never end', () => {
    const texts = [
      '\u001b',
      '\u001b[',
      '\u001b]',
      '\u001b]0;',
      '\u001b[0',
      '\u001b[;',
      '\u001bP',
      '\u001b (',
      '\u001b[0 ',
    ].flatMap((piece) => [
      piece.repeat(300_000),
      `\u001b]${piece.slice(1).repeat(300_000)}`,
      `\u001b[${'0'.repeat(500_000)}`,
    ]);
    // the work of a moment; a quadratic pattern takes minutes, and only this can interrupt it
    runInNewContext(
      'texts.forEach(plainText)',
      { texts, plainText: (text: string) => plainText(text) },
      { timeout: 60_000 },
    );
  });
});
