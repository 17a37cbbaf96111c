import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePythonJson } from '../../../../src/tao/run/pythonJson.ts';
import { type StatusEvent, StatusParser } from '../../../../src/tao/run/statusParser.ts';
import { timedeltaSeconds } from '../../../../src/tao/run/timedelta.ts';
import { recordedStatus } from '../recordedLogs.ts';

function read(...chunks: readonly (string | Uint8Array)[]): {
  readonly events: readonly StatusEvent[];
  readonly unreadable: number;
} {
  const events: StatusEvent[] = [];
  const parser = new StatusParser((event) => events.push(event));
  for (const chunk of chunks) parser.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  parser.end();
  return { events, unreadable: parser.unreadable };
}

const line = (fields: string): string =>
  `{"date": "3/7/2026", "time": "9:4:5", "verbosity": "INFO", ${fields}}\n`;
const kpisOf = (events: readonly StatusEvent[]): readonly string[] =>
  events.flatMap((event) =>
    event.kind === 'line' ? [event.kpis.map(({ name, value }) => `${name}=${value}`).join(' ')] : [],
  );

describe('status.json', () => {
  it('tells the epoch, the end and the figures (tao.md part 3, sample 2)', () => {
    const sample =
      '{"epoch": 4, "step": 250, "max_epoch": 29, "max_step": 1500, "time_per_epoch": "0:01:12.500000", "time_per_step": "0:00:01.400000", "eta": "0:30:12.500000", "date": "3/7/2026", "time": "9:14:5", "status": "RUNNING", "verbosity": "INFO", "message": "Training loop in progress", "kpi": {"val_loss": 0.41, "train_loss": 0.52}}\n';
    assert.deepEqual(read(sample).events, [
      {
        kind: 'line',
        status: 'RUNNING',
        message: 'Training loop in progress',
        epoch: 4,
        epochs: 30,
        etaSeconds: 1812.5,
        secondsPerEpoch: 72.5,
        kpis: [
          { name: 'val_loss', value: 0.41 },
          { name: 'train_loss', value: 0.52 },
        ],
      },
    ]);
  });

  it('repeats its kpis: new are those that its line tells of, or that changed', () => {
    const { events } = read(
      line(
        '"status": "RUNNING", "message": "Eval metrics generated.", "kpi": {"val_mAP": "0.5000", "val_loss": NaN}',
      ),
      line(
        '"status": "RUNNING", "message": "Train metrics generated.", "kpi": {"val_mAP": "0.5000", "val_loss": NaN, "train_loss": 0.3}',
      ),
      line(
        '"status": "RUNNING", "message": "Training loop in progress", "epoch": 0, "kpi": {"val_mAP": "0.5000", "val_loss": NaN, "train_loss": 0.3}',
      ),
      line(
        '"status": "RUNNING", "message": "Eval metrics generated.", "kpi": {"val_mAP": "0.5000", "val_loss": 0.2, "train_loss": 0.3}',
      ),
      line(
        '"status": "RUNNING", "message": "Training loop in progress", "epoch": 1, "kpi": {"val_mAP": "0.5000", "val_loss": 0.2, "train_loss": 0.25, "note": "text", "list": [1]}',
      ),
    );
    assert.deepEqual(kpisOf(events), [
      'val_mAP=0.5 val_loss=NaN',
      'train_loss=0.3',
      '',
      'val_mAP=0.5 val_loss=0.2',
      'train_loss=0.25',
    ]);
  });

  it('keeps several runs: each begins with its own line', () => {
    const run = line('"status": "STARTED", "message": "Starting Segformer train."');
    const loop = line('"status": "STARTED", "message": "Starting Training Loop."');
    const { events } = read(run, loop, run, loop);
    assert.deepEqual(
      events.map((event) => (event.kind === 'run' ? `run ${event.task}` : event.message)),
      [
        'run train',
        'Starting Segformer train.',
        'Starting Training Loop.',
        'run train',
        'Starting Segformer train.',
        'Starting Training Loop.',
      ],
    );
  });

  it('is read in any pieces, to a last line without its end, and keeps to what it can read', () => {
    const status = recordedStatus('nan-loss') ?? assert.fail();
    const whole = read(status);
    for (const size of [1, 7, 300]) {
      const chunks = Array.from({ length: Math.ceil(status.length / size) }, (_, index) =>
        status.subarray(index * size, (index + 1) * size),
      );
      assert.deepEqual(read(...chunks), whole);
    }
    assert.equal(whole.unreadable, 0);
    assert.deepEqual(read(status.subarray(0, -1)), whole);
    const odd = read(
      '\ufeff\n\r\n{"status": "RUNNING"}\r\n[]\nnull\n{"status": "DREAMING"}\n{"status": "RUNNING", "epoch": "x", "kpi": 5, "eta": 3, "message": 4}\n',
      Uint8Array.of(0xff, 0, 0x0a),
      'x'.repeat(70_000),
      `${'y'.repeat(70_000)}\n{"status": "RUNN`,
    );
    assert.deepEqual(
      odd.events.map(({ kind }) => kind),
      ['line', 'line'],
    );
    assert.equal(odd.unreadable, 6);
  });

  it('of a gigabyte without a line end takes no memory', () => {
    const parser = new StatusParser(() => assert.fail());
    const chunk = Buffer.alloc(8 * 1024 * 1024, 'x');
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 128; count++) parser.push(chunk);
    assert.ok(process.memoryUsage().arrayBuffers - before < 1024 * 1024);
    parser.end();
    assert.equal(parser.unreadable, 1);
  });
});

describe('what Python writes', () => {
  it('as JSON has bare words, which are none within a text', () => {
    assert.deepEqual(parsePythonJson('{"a": NaN, "b": [-Infinity, Infinity], "NaN": "x NaN \\" NaN"}'), {
      a: 'NaN',
      b: ['-Infinity', 'Infinity'],
      NaN: 'x NaN " NaN',
    });
    for (const text of ['', '{', '{"a": NaNo}', `NaN${'"\\'.repeat(30_000)}`])
      assert.equal(parsePythonJson(text), undefined);
  });

  it('as a timedelta', () => {
    const cases: Readonly<Record<string, number | undefined>> = {
      '0:01:02.345678': 62.345678,
      '1 day, 2:03:04': 93_784,
      '3 days, 0:00:00': 259_200,
      '-1 day, 23:59:59': -1,
      '12:00': undefined,
      soon: undefined,
    };
    for (const [text, seconds] of Object.entries(cases)) assert.equal(timedeltaSeconds(text), seconds, text);
  });
});
