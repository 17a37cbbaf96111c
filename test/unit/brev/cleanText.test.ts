import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanText, lastLine } from '../../../src/brev/cleanText.ts';

const TRACE = '[error] \ngithub.com/x.(*y).Z\n/home/runner/work/y.go:41\n: ';

describe('cleanText', () => {
  it('leaves what the CLI says to people', () => {
    for (const [text, clean] of [
      [`${TRACE}${TRACE}the reason\n`, 'the reason'],
      [
        `1 error occurred:\n\t* ${TRACE}instance with id/name x not found\n\n\n`,
        '1 error occurred:\n\t* instance with id/name x not found',
      ],
      [`${TRACE.replaceAll('\n', '\r\n')}the reason\r\n`, 'the reason'],
      ['\u001b[K\r⣷ waiting \u001b[K\r⣯ waiting ', ''],
      ['\u001b[K\r⣷ waiting \u001b[K\rthe reason\n', 'the reason'],
      ['⣷ waiting for instance to be ready...\nthe reason', 'the reason'],
      [
        '2026/12/01 09:00:00.123456 WARN RESTY EOF, Attempt 1\n2026/12/01 09:00:00 ERROR RESTY EOF\nEOF\n',
        'EOF',
      ],
      [
        'posthog 2026/12/01 09:00:00 WARN: sending request - Post "https://app.posthog.com/batch/"\nthe reason',
        'the reason',
      ],
      ['Connection failed, checking instance status...\nexit status 7\n', 'exit status 7'],
      [
        "Warning: Permanently added 'h' (ED25519) to the list of known hosts.\r\nthe reason\r\n",
        'the reason',
      ],
      ['Agent pid 4711\nthe reason', 'the reason'],
      [
        'panic: x\n[signal SIGSEGV]\n\ngoroutine 1 [running]:\nmain.main()\n\t/x/main.go:7 +0x1\n',
        'panic: x\n[signal SIGSEGV]',
      ],
      ['goroutine leak? no: an ordinary line', 'goroutine leak? no: an ordinary line'],
      ['', ''],
    ] as const) {
      assert.equal(cleanText(text), clean, JSON.stringify(text));
    }
  });

  it('keeps both ends of a text that is too long to be looked at', () => {
    const text = `panic: at the start\n${'x\n'.repeat(500_000)}the end\n`;
    const clean = cleanText(text);
    assert.ok(clean.length < 200_000);
    assert.match(clean, /^panic: at the start\n/);
    assert.match(clean, /\nthe end$/);
  });
});

describe('the line that says most', () => {
  it('is the last, but the panic, and the first of several errors', () => {
    for (const [text, line] of [
      ['one\ntwo\n\n', 'two'],
      ['  padded  \n', 'padded'],
      ['panic: first\nmore\n\ngoroutine 1 [running]:\n', 'panic: first'],
      ['2 errors occurred:\n\t* the one\n\t* the other\n\n', 'the one'],
      ['', ''],
    ] as const) {
      assert.equal(lastLine(text), line);
    }
  });
});
