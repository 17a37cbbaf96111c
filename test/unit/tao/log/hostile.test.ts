import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LogEvent } from '../../../../src/tao/log/events.ts';
import { LogParser } from '../../../../src/tao/log/logParser.ts';
import { seededRandom } from '../../../brev-sim/machine/tao/loss-curve.ts';
import { inShort } from '../recordedLogs.ts';

const CHUNK = 1024 * 1024;
const LAST_WORD =
  '\n2026-03-07 10:00:00,900 - [TAO Toolkit] - WARNING - Execution status: FAIL (entrypoint.py:373)\n';

/** Feeds the same chunk again and again, then TAO's last word; gives the events and the memory that it took. */
function flood(
  chunk: Uint8Array,
  times: number,
): { readonly events: readonly LogEvent[]; readonly bytes: number } {
  const events: LogEvent[] = [];
  const parser = new LogParser((event) => {
    if (events.length < 1000) events.push(event);
  });
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < times; count++) parser.push(chunk);
  const bytes = process.memoryUsage().arrayBuffers - before;
  parser.push(Buffer.from(LAST_WORD));
  parser.end();
  return { events, bytes };
}

describe('a log that nobody should write', () => {
  it('of hundreds of megabytes without a line end takes no memory, and the last word is found', () => {
    const { events, bytes } = flood(Buffer.alloc(8 * CHUNK, 'x'), 32);
    assert.deepEqual(inShort(events), ['FAIL', '[done]']);
    assert.ok(bytes < 4 * CHUNK, `${bytes} bytes`);
  });

  it('of NUL bytes, of random bytes, of high bytes does no harm', () => {
    const random = seededRandom('bytes');
    const noise = Uint8Array.from({ length: CHUNK }, () => Math.floor(random() * 256));
    for (const chunk of [new Uint8Array(CHUNK), noise, new Uint8Array(CHUNK).fill(0xff)]) {
      assert.deepEqual(inShort(flood(chunk, 4).events).slice(-2), ['FAIL', '[done]']);
    }
  });

  it('of the beginnings of all that is looked for ends as soon as any other', () => {
    // each would take minutes with a pattern that goes back over what it has read
    const floods = [
      'Error'.repeat(3000),
      `${'a.'.repeat(8000)}Error`,
      'Traceback (most recent call last)'.repeat(400),
      `Traceback (most recent call last)\n${'Error: '.repeat(2000)}`,
      'Epoch '.repeat(2500),
      'Epoch 1:',
      `Epoch 1:  1%|${'#'.repeat(900)}`,
      'Epoch 1:  1%|#| 1/2 [00:00<00:00, '.repeat(400),
      '\u001b['.repeat(8000),
      '\u001b]'.repeat(8000),
      ' - [TAO Toolkit] - '.repeat(800),
      'CUDA out of memory. Tried to allocate '.repeat(400),
      '│ a │'.repeat(2000),
      'model_epoch_'.repeat(1300),
      "[Errno 2] No such file or directory: '".repeat(400),
      'huggingface.co/a/'.repeat(900),
      `${"Key '".repeat(3000)}' not in '`,
      ' results will be saved at: '.repeat(600),
    ];
    for (const text of floods) {
      const chunk = Buffer.from(`${text}\n`.repeat(Math.ceil(CHUNK / 4 / text.length)));
      const last = inShort(flood(chunk, 1).events).slice(-2);
      // so many events that the last word is no longer among those kept is fine, too
      assert.ok(last.length > 0, text.slice(0, 40));
    }
  });

  it('with tracebacks that never end keeps none of them', () => {
    const chunk = Buffer.from(
      Array.from({ length: 5000 }, (_, rank) => `[rank${rank}]: Traceback (most recent call last):\n`).join(
        '',
      ),
    );
    assert.deepEqual(inShort(flood(chunk, 3).events), ['FAIL', '[done]']);
  });
});
