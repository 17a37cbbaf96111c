import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LogEvent } from '../../../../src/tao/log/events.ts';
import { LogParser } from '../../../../src/tao/log/logParser.ts';
import { MAX_RECORD } from '../../../../src/tao/log/records.ts';
import { seededRandom } from '../../../brev-sim/machine/tao/loss-curve.ts';
import { eventsOf, inShort, recordedLog } from '../recordedLogs.ts';

/** Pieces of logs, whole and broken, and bytes of which none should be there. */
const WORDS = [
  '\r',
  '\n',
  '\r\n',
  ' ',
  '\u001b[A',
  '\u001b[38;20m',
  '\u001b[',
  '\u0000',
  'Epoch 3:  62%|######2   | 31/50 [00:21<00:13,  1.45it/s, v_num=1, train_loss_step=0.312, lr=0.0002]',
  'Epoch 3:  62%|######2   | 31/50 [00:21<00:13,  1.45it/s, v_num=1, train_lo',
  'Epoch 3:  62%|██████▏   | 31/50 [00:21<00:13, train_loss=nan.0]',
  'Epoch 4:  62%|##',
  'Epoch 12',
  'Validation DataLoader 0:  25%|##5       | 1/4 [00:00<00:00, 50.00it/s]',
  'Testing: 12it [00:01,  8.51it/s]',
  '`Trainer.fit` stopped: `max_epochs=30` reached.',
  '2026-03-07 10:00:00,111 - [TAO Toolkit] - INFO - Sending telemetry data. (entrypoint.py:355)',
  '2026-03-07 10:00:00,900 - [TAO Toolkit] - WARNING - Execution status: FAIL (entrypoint.py:373)',
  '[rank1]: Traceback (most recent call last):',
  '  File "a.py", line 1, in f',
  'return x[0]',
  'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB.',
  'RuntimeError: boom',
  'a1b2c3d4e5f6: Pulling fs layer',
  'Train results will be saved at: /results/train',
  'x'.repeat(700),
  '学',
  '│ test_miou │ 0.93 │',
];

function randomLog(random: () => number): Buffer {
  const parts: Buffer[] = [];
  for (let count = Math.floor(random() * 60); count >= 0; count--) {
    const word = Buffer.from(WORDS[Math.floor(random() * WORDS.length)] ?? '');
    const isBroken = random() < 0.15;
    parts.push(isBroken ? word.subarray(Math.floor(random() * word.length)) : word);
    if (random() < 0.1) parts.push(Buffer.from([Math.floor(random() * 256)]));
    if (random() < 0.05) parts.push(Buffer.alloc(MAX_RECORD - 100, 'y'));
  }
  return Buffer.concat(parts);
}

function cut(bytes: Buffer, random: () => number, largest: number): readonly Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + Math.floor(random() ** 2 * largest);
    // a copy of its own: the parser must not hold on to a buffer that is used again
    chunks.push(Buffer.from(bytes.subarray(at, at + length)));
    at += length;
  }
  return chunks;
}

describe('the events of a log', () => {
  it('are the same however its bytes are cut: anything that a log may hold', () => {
    const kinds = new Set<string>();
    for (let seed = 0; seed < 80; seed++) {
      const random = seededRandom(`cut ${seed}`);
      const log = randomLog(random);
      const whole = eventsOf(log);
      for (const { kind } of whole) kinds.add(kind);
      for (const largest of [3, 40, 3000]) {
        assert.deepEqual(
          eventsOf(...cut(log, random, largest)),
          whole,
          `seed ${seed}, pieces up to ${largest}`,
        );
      }
    }
  });

  it('are the same byte by byte', () => {
    for (const name of ['multi-gpu-oom', 'nan-loss', 'invalid-utf8', 'ansi-split', 'gated-model']) {
      const log = recordedLog(name);
      const bytes = Array.from({ length: log.length }, (_, index) => log.subarray(index, index + 1));
      assert.deepEqual(eventsOf(...bytes), eventsOf(log), name);
    }
  });

  it('come as soon as a bar is whole: its line ends only with the next one', () => {
    const events: LogEvent[] = [];
    const parser = new LogParser((event) => events.push(event));
    parser.push(Buffer.from('\rEpoch 0:  50%|#####     | 1/2 [00:01<00:01,  1.00it/s, loss=0.5'));
    assert.deepEqual(inShort(events), []);
    parser.push(Buffer.from(']'));
    assert.deepEqual(inShort(events), ['[train]', 'train 0: 1/2']);
    parser.push(Buffer.from('glued words\nmore'));
    parser.end();
    assert.deepEqual(inShort(events), ['[train]', 'train 0: 1/2']);
  });

  it('does not hold on to a buffer that its owner fills again', () => {
    const log = recordedLog('multi-gpu-oom');
    const buffer = Buffer.alloc(97);
    const chunks = function* (): Generator<Uint8Array> {
      for (let at = 0; at < log.length; at += buffer.length) {
        yield buffer.subarray(0, log.copy(buffer, 0, at));
      }
    };
    const events = eventsOfStream(chunks());
    assert.deepEqual(events, eventsOf(log));
  });
});

function eventsOfStream(chunks: Iterable<Uint8Array>): readonly unknown[] {
  const events: unknown[] = [];
  const parser = new LogParser((event) => events.push(event));
  for (const chunk of chunks) parser.push(chunk);
  parser.end();
  return events;
}
