// The parser of training logs against a plain loop that only cuts the same bytes into lines, in one run: one line of JSON
// for each figure.
import { LogParser } from '../../src/tao/log/logParser.ts';
import { RunReading } from '../../src/tao/run/runReading.ts';
import { progressBar } from '../brev-sim/machine/tao/progress-bar.ts';
import { alone, type Figure, median } from './figure.ts';

const GOAL = '>= 100';
const LOG_BYTES = 16 * 1024 * 1024;
/** As a stream brings them. */
const CHUNK = 64 * 1024;
/** Code that has run a few times is faster: what is measured is the steady state. */
const WARM_UP_ROUNDS = 2;
const ROUNDS = 9;

/** Measures; the figures come as they are ready. */
export async function measure(report: (figure: Figure) => void): Promise<void> {
  const logs = { 'a training': trainingLog(), 'a chatty program': chattyLog() };
  for (const [what, log] of Object.entries(logs)) {
    const [peer = NaN, parser = NaN, reading = NaN] = speeds(log, [plainLines, parse, readRun]);
    report(figure(`events of ${what}'s log against a plain loop over its lines`, parser, peer));
    report(figure(`events, summary and curves of ${what}'s log`, reading, peer));
  }
}

/** What TAO writes: bars, and at each epoch's end validation and the logger's lines. */
function trainingLog(): Buffer {
  const parts: string[] = [];
  let length = 0;
  const add = (text: string): void => {
    parts.push(text);
    length += text.length;
  };
  for (let epoch = 0; length < LOG_BYTES; epoch++) {
    for (let step = 0; step <= 500; step++) {
      const loss = 1.2 / (1 + epoch + step / 500);
      const postfix = {
        v_num: '1',
        train_loss_step: loss,
        lr: 2e-4 / (1 + epoch),
        val_loss: 0.41 + loss,
        val_miou: 0.7,
      };
      add(
        `\r${progressBar({ label: `Epoch ${epoch}`, done: step, total: 500, seconds: step * 0.7 + 1, postfix })}`,
      );
    }
    for (let step = 0; step < 20; step++) {
      const state = {
        label: 'Validation DataLoader 0',
        done: step,
        total: 20,
        seconds: step * 0.2,
        postfix: {},
      };
      add(`\n\r${progressBar(state)}\u001b[A`);
    }
    for (let line = 0; line < 20; line++) {
      const time = `2026-03-07 10:00:00,${100 + line}`;
      add(
        `\u001b[38;20m${time} - [TAO Toolkit] - INFO - Batch ${line} of epoch ${epoch} is done (train.py:${line})\u001b[0m\n`,
      );
    }
  }
  return Buffer.from(parts.join(''));
}

/** Plain lines, none of which is of interest. */
function chattyLog(): Buffer {
  const lines = Array.from(
    { length: 1000 },
    (_, index) =>
      `sample ${index}: augmentation statistics mean=0.${index} std=1.${index} of the batch in the pipeline\n`,
  ).join('');
  return Buffer.from(lines.repeat(Math.ceil(LOG_BYTES / lines.length)));
}

function chunksOf(log: Buffer): readonly Buffer[] {
  return Array.from({ length: Math.ceil(log.length / CHUNK) }, (_, index) =>
    log.subarray(index * CHUNK, (index + 1) * CHUNK),
  );
}

/** The peer: finds the lines and does nothing with them. */
function plainLines(chunks: readonly Buffer[]): number {
  let lines = 0;
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === 0x0a || byte === 0x0d) lines++;
    }
  }
  return lines;
}

function parse(chunks: readonly Buffer[]): number {
  let events = 0;
  const parser = new LogParser(() => {
    events++;
  });
  for (const chunk of chunks) parser.push(chunk);
  parser.end();
  return events;
}

function readRun(chunks: readonly Buffer[]): number {
  const reading = new RunReading();
  for (const chunk of chunks) reading.pushLog(chunk);
  reading.end();
  return reading.curves().length + (reading.summary.epoch ?? 0);
}

/**
 * The speed of each in MB/s, by the processor time that it takes, the garbage collector's included: what else the
 * machine does doesn't count.
 */
function speeds(log: Buffer, contenders: readonly ((chunks: readonly Buffer[]) => number)[]): number[] {
  const chunks = chunksOf(log);
  const times = contenders.map((): number[] => []);
  const expected = contenders.map((contender) => contender(chunks));
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    for (const [index, contender] of contenders.entries()) {
      const begun = process.cpuUsage();
      const found = contender(chunks);
      const { user, system } = process.cpuUsage(begun);
      if (found !== expected[index]) throw new Error('a reading differs from the one before');
      if (round >= WARM_UP_ROUNDS) times[index]?.push(user + system);
    }
  }
  return times.map((each) => log.length / median(each));
}

function figure(name: string, value: number, peer: number): Figure {
  return {
    ...alone(name, 'MB/s', value, GOAL),
    peer: Math.round(peer),
    ratio: Math.round((value / peer) * 100) / 100,
  };
}

if (import.meta.main) {
  await measure((each) => console.log(JSON.stringify(each)));
}
