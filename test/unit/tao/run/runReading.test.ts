import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RunReading } from '../../../../src/tao/run/runReading.ts';
import type { RunSummary } from '../../../../src/tao/run/runSummary.ts';
import { readingOf, recordedLog, recordedStatus } from '../recordedLogs.ts';

function summaryOf(log: string, status = '', epochs?: number): RunSummary {
  const reading = new RunReading(epochs === undefined ? {} : { epochs });
  reading.pushLog(Buffer.from(log));
  reading.pushStatus(Buffer.from(status));
  return reading.summary;
}

function curvesOf(reading: RunReading): Readonly<Record<string, string>> {
  return Object.fromEntries(
    reading
      .curves()
      .map(({ name, kind, x, y }) => [
        name,
        `${kind} ${x.map((place, index) => `${Number(place.toFixed(2))}:${y[index]?.toFixed(3)}`).join(' ')}`,
      ]),
  );
}

describe('RunReading', () => {
  it('knows a run that went well: where it is, its figures, its last words', () => {
    const { summary } = { summary: readingOf('segmentation').summary };
    assert.equal(summary.phase, 'done');
    assert.equal(summary.task, 'train');
    assert.deepEqual([summary.epoch, summary.epochs, summary.step, summary.steps], [2, 3, 6, 6]);
    assert.equal(summary.progress, 1);
    assert.equal(summary.etaSeconds, undefined);
    assert.equal(summary.resultsDir, '/results/train');
    assert.equal(summary.executionStatus, 'PASS');
    assert.deepEqual(summary.status, {
      last: 'RUNNING',
      message: 'Train finished successfully.',
      isFinished: true,
    });
    assert.equal(summary.learningRate, summary.latest.get('lr'));
    assert.equal(summary.latest.get('val_miou'), 0.886);
    assert.equal(summary.trouble, undefined);
  });

  it('draws one point a step and one a measurement, in full precision where status.json has it', () => {
    const curves = curvesOf(readingOf('detection'));
    assert.equal(curves.val_loss, 'epoch 1:0.248 2:0.122 3:0.103');
    assert.equal(curves.val_mAP, 'epoch 1:0.811 2:0.889 3:0.886');
    assert.equal(curves.train_loss, 'step 1:0.200 2:0.092 3:0.079');
    assert.match(curves.train_loss_step ?? '', /^step 0\.17:0\.622 0\.33:0\.559 0\.5:0\.362 /);
    assert.equal((curves.train_loss_step ?? '').split(' ').length, 19);
    const val = readingOf('detection')
      .curves()
      .find(({ name }) => name === 'val_loss');
    assert.equal(val?.y[0], 0.24834783053331788);
  });

  it('without status.json draws what the bars show', () => {
    const reading = new RunReading();
    reading.pushLog(recordedLog('segmentation'));
    assert.equal(curvesOf(reading).val_loss, 'epoch 1:0.248 2:0.122 3:0.103');
  });

  it('tells how long it will take: from the spec, the bars and TAO', () => {
    const bar = '\rEpoch 1:  50%|#####     | 5/10 [00:30<00:20,  1it/s]';
    assert.equal(summaryOf(bar).etaSeconds, undefined);
    assert.equal(summaryOf(bar, '', 4).etaSeconds, 20 + 2 * 50);
    assert.equal(summaryOf(bar, '', 4).progress, 1.5 / 4);
    const status = (epoch: number) =>
      `{"status": "RUNNING", "epoch": ${epoch}, "max_epoch": 9, "time_per_epoch": "0:01:00", "eta": "0:09:00"}\n`;
    assert.equal(summaryOf(bar, status(0)).etaSeconds, 20 + 8 * 60);
    assert.equal(summaryOf('', status(3)).etaSeconds, 540);
    assert.equal(summaryOf('', status(3)).progress, 0.4);
    assert.equal(summaryOf('\rEpoch 1: |   | 5/? [00:30<?,  1it/s]', '', 4).etaSeconds, undefined);
  });

  it('places steps of epochs without a known length by the epoch before', () => {
    const reading = new RunReading();
    for (const [epoch, done] of [
      [0, 10],
      [0, 20],
      [1, 5],
      [1, 10],
    ] as const) {
      reading.pushLog(Buffer.from(`\rEpoch ${epoch}: |   | ${done}/? [00:30<?,  1it/s, loss=${done}.5]`));
    }
    assert.equal(curvesOf(reading).loss, 'step 0:20.500 1.25:5.500 1.5:10.500');
  });

  it('begins anew with each run in status.json, and goes on where one resumes', () => {
    const start = '{"status": "STARTED", "message": "Starting Segformer train."}\n';
    const kpi = (epoch: number, loss: number | 'NaN') =>
      `{"status": "RUNNING", "message": "Eval metrics generated.", "kpi": {"val_loss": ${loss}}}\n{"status": "RUNNING", "message": "Training loop in progress", "epoch": ${epoch}, "kpi": {"val_loss": ${loss}}}\n`;
    const resume =
      '{"status": "RUNNING", "message": "Resuming training from checkpoint: /results/train/model_epoch_000_step_00020.pth"}\n';
    const first = start + kpi(0, 0.5) + kpi(1, 'NaN');
    const again = new RunReading();
    again.pushStatus(Buffer.from(first + start + kpi(0, 0.4)));
    assert.equal(curvesOf(again).val_loss, 'epoch 1:0.400');
    assert.equal(again.summary.trouble, undefined);
    const resumed = new RunReading();
    resumed.pushStatus(Buffer.from(first + start + resume + kpi(1, 0.3)));
    assert.equal(curvesOf(resumed).val_loss, 'epoch 1:0.500 2:0.300');
    const begun = new RunReading();
    begun.pushStatus(Buffer.from(first + start));
    assert.deepEqual([begun.curves(), begun.summary.epoch], [[], undefined]);
  });

  it('sees a loss that is no number any more, and forgets one that recovered', () => {
    assert.deepEqual(readingOf('nan-loss').summary.trouble, {
      kind: 'nanLoss',
      metric: 'train_loss_step',
      epoch: 1,
    });
    const bar = (step: number, loss: string) =>
      `\rEpoch 0:  50%|##| ${step}/9 [00:01<00:01, 1it/s, loss=${loss}, lr=nan]`;
    assert.equal(summaryOf(bar(1, 'nan.0')).trouble?.kind, 'nanLoss');
    assert.equal(summaryOf(bar(1, 'nan.0') + bar(2, '0.5')).trouble, undefined);
  });

  it('does not take a FAILURE in the middle for the end', () => {
    const { summary } = readingOf('passing-failure');
    assert.deepEqual([summary.status?.isFinished, summary.troubles], [true, []]);
    assert.equal(readingOf('false-pass').summary.status?.last, 'FAILURE');
  });

  it('names the cause, not what follows from it', () => {
    const causes: Readonly<Record<string, string>> = {
      'multi-gpu-oom': 'cudaOutOfMemory',
      'nccl-timeout': 'ncclTimeout',
      'bus-error': 'sharedMemory',
      'no-space': 'diskFull',
      'missing-file': 'missingFile',
      'bad-key': 'unknownSpecKey',
      'gated-model': 'gatedModel',
      'device-assert': 'deviceAssert',
      'too-few-gpus': 'tooFewGpus',
      interrupted: 'interrupted',
      'false-pass': 'exception',
    };
    for (const [name, kind] of Object.entries(causes)) {
      assert.equal(readingOf(name).summary.trouble?.kind, kind, name);
    }
  });

  it('gives the same whichever file comes first', () => {
    const log = recordedLog('change-detection');
    const status = recordedStatus('change-detection') ?? assert.fail();
    const reading = new RunReading();
    reading.pushStatus(status);
    reading.pushLog(log);
    reading.end();
    const other = readingOf('change-detection');
    assert.deepEqual(reading.summary, other.summary);
    assert.deepEqual(reading.curves(), other.curves());
  });

  it('keeps to its size in a run without end', () => {
    const reading = new RunReading();
    for (let epoch = 0; epoch < 300; epoch++) {
      const bars = Array.from(
        { length: 50 },
        (_, step) => `\rEpoch ${epoch}: 1%|#| ${step + 1}/50 [00:01<00:01, 1it/s, loss=${step}, f${epoch}=1]`,
      );
      reading.pushLog(Buffer.from(`${bars.join('')}\nsaving model_epoch_${epoch}.pth\n`));
    }
    const points = reading.curves().reduce((sum, { x }) => sum + x.length, 0);
    assert.ok(points < 64 * 2000);
    assert.equal(reading.curves().length, 64);
    assert.equal(reading.summary.checkpoints.length, 20);
    assert.ok(reading.summary.latest.size <= 128);
  });
});
