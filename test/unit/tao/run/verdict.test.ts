import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Artifact, artifactIn, artifactKind } from '../../../../src/tao/run/artifact.ts';
import { RunReading } from '../../../../src/tao/run/runReading.ts';
import { type RunEnd, type RunVerdict, verdictOf } from '../../../../src/tao/run/verdict.ts';
import { inEnglish } from '../../../../src/values/message.ts';
import { readingOf } from '../recordedLogs.ts';

const end = (fields: Partial<RunEnd>): RunEnd => ({
  exitCode: 0,
  step: 'run',
  outOfMemory: false,
  error: '',
  ...fields,
});

function judged(
  name: string,
  ended: Partial<RunEnd>,
  artifact: Artifact = 'present',
  action = 'train',
): RunVerdict {
  const { summary } = name === '' ? new RunReading() : readingOf(name);
  return verdictOf({ end: end(ended), summary, artifact, action });
}

function inWords({ kind, sentence, reasons }: RunVerdict): string {
  return [`${kind}: ${inEnglish(sentence)}`, ...reasons.map(inEnglish)].join(' | ');
}

describe('the verdict', () => {
  it('is a success when exit code, status.json and artifact agree', () => {
    for (const name of [
      'classification',
      'detection',
      'segmentation',
      'change-detection',
      'passing-failure',
    ]) {
      assert.equal(inWords(judged(name, {})), 'succeeded: Finished.', name);
    }
    assert.equal(judged('evaluate', {}, 'present', 'evaluate').kind, 'succeeded');
    assert.equal(judged('export', {}, 'unknown', 'export').kind, 'succeeded');
  });

  it('is a doubt when a run passes that did not work', () => {
    assert.equal(
      inWords(judged('nan-loss', {})),
      'doubtful: Finished with exit code 0, but it may not have worked. | train_loss_step is no number any more (NaN), since epoch 2.',
    );
    assert.equal(
      inWords(judged('segmentation', {}, 'missing')),
      'doubtful: Finished with exit code 0, but it may not have worked. | There is no checkpoint in the results.',
    );
    assert.equal(
      inWords(judged('interrupted', {})),
      'doubtful: Finished with exit code 0, but it may not have worked. | The run was interrupted before its end; TAO calls that a pass.',
    );
    assert.match(inWords(judged('false-pass', {})), /^doubtful: .* \| ValueError: need at least one array/);
    assert.match(inWords(judged('killed', {})), /^doubtful: .*status\.json does not say that it finished/);
    assert.match(
      inWords(judged('bus-error', {})),
      /^doubtful: .*shared memory.* \| TAO itself says that it failed/,
    );
    assert.equal(judged('nan-loss', {}).trouble?.kind, 'nanLoss');
  });

  it('is a failure with its cause, and with what helps', () => {
    const failures: readonly (readonly [name: string, ended: Partial<RunEnd>, kind: string])[] = [
      ['multi-gpu-oom', { exitCode: 1 }, 'cudaOutOfMemory'],
      ['nccl-timeout', { exitCode: 1 }, 'ncclTimeout'],
      ['killed', { exitCode: 137 }, 'killed'],
      ['killed', { exitCode: 137, outOfMemory: true }, 'hostOutOfMemory'],
      ['killed', { exitCode: 135 }, 'sharedMemory'],
      ['', { exitCode: 125, step: 'pull', error: 'manifest unknown' }, 'imagePull'],
      ['', { exitCode: 1, step: 'login', error: 'unauthorized' }, 'imagePull'],
      ['', { exitCode: 127, step: 'docker', error: 'docker is not installed' }, 'dockerDown'],
      [
        '',
        {
          exitCode: 125,
          step: 'create',
          error: 'could not select device driver "" with capabilities: [[gpu]]',
        },
        'gpuRuntimeMissing',
      ],
      ['', { exitCode: 125, step: 'create', error: 'no such thing' }, 'exception'],
    ];
    for (const [name, ended, kind] of failures) {
      const verdict = judged(name, ended, 'missing');
      assert.deepEqual(
        [verdict.kind, verdict.trouble?.kind],
        ['failed', kind],
        `${name} ${JSON.stringify(ended)}`,
      );
      assert.notEqual(verdict.explanation, undefined);
    }
    assert.equal(
      inWords(judged('killed', { exitCode: 3 })),
      'failed: Failed with exit code 3; the log does not say why. | It was in epoch 2 of 3.',
    );
    assert.equal(judged('', { step: 'launch', exitCode: undefined, error: 'x' }).kind, 'failed');
  });

  it('does not call a NaN the cause of a crash', () => {
    assert.equal(judged('nan-loss', { exitCode: 139 }).trouble, undefined);
  });

  it('is no verdict when nobody saw the end', () => {
    assert.equal(
      inWords(judged('segmentation', { exitCode: undefined })),
      'unknown: The run ended, but nobody saw how. | By its log it finished.',
    );
    assert.match(inWords(judged('killed', { exitCode: undefined })), /^unknown: .*It was in epoch 2 of 3/);
    assert.equal(judged('killed', { step: 'lost', exitCode: undefined, error: 'gone' }).kind, 'unknown');
    assert.equal(
      judged('killed', { step: 'interrupted', exitCode: undefined, error: 'reboot' }).kind,
      'unknown',
    );
  });

  it('of a cancelled run is that', () => {
    assert.equal(
      inWords(judged('cancelled', { step: 'cancel', exitCode: 137 })),
      'cancelled: Cancelled. | It was in epoch 2 of 3.',
    );
  });
});

describe('the artifact of an action', () => {
  it('is looked for by its kind, and what every run writes is none', () => {
    const always = [
      'train/experiment.yaml',
      'train/status.json',
      'train/lightning_logs/version_1/hparams.yaml',
    ];
    assert.equal(artifactIn('train', always), 'missing');
    assert.equal(artifactIn('train', [...always, 'train/model_epoch_000_step_00020.pth']), 'present');
    assert.equal(artifactIn('export', [...always, 'train/x.pth']), 'missing');
    assert.equal(artifactIn('export', ['export/m.ONNX']), 'present');
    assert.equal(artifactIn('gen_trt_engine', ['m.engine']), 'present');
    assert.equal(artifactIn('inference', always), 'missing');
    assert.equal(artifactIn('inference', [...always, 'inference/a.csv']), 'present');
    assert.equal(artifactKind('evaluate'), 'results');
  });
});
