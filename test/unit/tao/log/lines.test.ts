import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventsOf, inShort } from '../recordedLogs.ts';

const tao = (text: string): string =>
  `2026-03-07 10:00:00,111 - [TAO Toolkit] - INFO - ${text} (entrypoint.py:355)`;

describe("TAO's own lines", () => {
  it('are told once although they come three times', () => {
    const verdict = 'Execution status: PASS';
    const log = `\u001b[38;20m${tao(verdict)}\u001b[0m\n${tao(verdict)}\n[2026-03-07 10:00:00,111 - TAO Toolkit - TAO Toolkit - INFO] ${verdict}\n`;
    assert.deepEqual(inShort(eventsOf(log)), ['PASS', '[done]']);
  });

  it('are found where their line begins in another one', () => {
    assert.deepEqual(
      inShort(
        eventsOf(
          `\rEpoch 0: 100%|##| 2/2 [00:01<00:00, 1it/s]\`Trainer.fit\` stopped: \`max_epochs=1\` reached.${tao('Execution status: FAIL')}\n`,
        ),
      ),
      ['[train]', 'train 0: 2/2', 'all 1 epochs', 'FAIL', '[done]'],
    );
  });

  it('survive control sequences that are cut, unknown or endless', () => {
    for (const noise of [
      '\u001b[',
      '\u001b]0;title\u0007',
      '\u001b]0;never ends',
      '\u001b',
      '\u0000\u0000',
    ]) {
      assert.deepEqual(inShort(eventsOf(`${noise}\n${tao('Execution status: PASS')}${noise}\n`)), [
        'PASS',
        '[done]',
      ]);
    }
  });

  it('tell checkpoints: saved ones, and the one that the run goes on from', () => {
    const log = [
      tao('Setting resume checkpoint to /results/train/model_epoch_001_step_00040.pth'),
      'Restoring states from the checkpoint path at /results/train/model_epoch_001_step_00040.pth',
      "Epoch 2, global step 60: 'val_loss' reached 0.41000 (best 0.41000), saving model to '/results/train/model_epoch_002_step_00060.pth' as top 1",
      '',
    ].join('\n');
    assert.deepEqual(inShort(eventsOf(log)), [
      'resumed /results/train/model_epoch_001_step_00040.pth',
      'saved /results/train/model_epoch_002_step_00060.pth',
    ]);
  });

  it('come as in a log that somebody published in 2026', () => {
    const bar = (epoch: number, rest: string) =>
      `Epoch ${epoch}: 100%|██████████| 1/1 [00:00<00:00,  5.41it/s, v_num=1, train_loss_step=0.023, ${rest}]`;
    const log = [
      // what was left of a longer bar before it
      `${bar(27, 'val_loss=0.118, train_loss_epoch=0.0246')}]`,
      `${bar(29, 'val_loss=0.086, train_loss_epoch=0.0221')}\`Trainer.fit\` stopped: \`max_epochs=30\` reached.`,
      `${bar(29, 'val_loss=0.086, train_loss_epoch=0.0221')}${tao('Sending telemetry data.')}`,
      tao('Execution status: PASS'),
      'Testing DataLoader 0: 100%|██████████| 1/1 [00:01<00:00,  0.61it/s]┏━━━━━┳━━━━━┓',
      '┃        Test metric        ┃       DataLoader 0        ┃',
      '│         val_acc_1         │            1.0            │',
    ].join('\n');
    assert.deepEqual(inShort(eventsOf(log)), [
      '[train]',
      'train 27: 1/1',
      'train 29: 1/1',
      'all 30 epochs',
      'PASS',
      '[done]',
      '[test]',
      'test: 1/1',
      'val_acc_1=1',
    ]);
  });

  it('tell the figures of an evaluation, whatever frames them', () => {
    assert.deepEqual(
      inShort(
        eventsOf(
          '┃ Test metric ┃ DataLoader 0 ┃\n│   test_acc_1    │    0.93   │\n│ test_loss │ nan │\n│ a │ b │\n',
        ),
      ),
      ['test_acc_1=0.93', 'test_loss=NaN'],
    );
  });
});
