import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BarEvent } from '../../../../src/tao/log/events.ts';
import { eventsOf } from '../recordedLogs.ts';

function barsOf(text: string): readonly BarEvent[] {
  return eventsOf(text).filter((event) => event.kind === 'bar');
}

function barOf(text: string): string {
  const [bar, ...others] = barsOf(text);
  if (bar === undefined) return 'none';
  assert.deepEqual(others, []);
  const metrics = bar.metrics.map(({ name, value }) => `${name}=${value}`).join(' ');
  const place = `${bar.phase} ${bar.epoch ?? '-'} ${bar.done}/${bar.total ?? '?'}`;
  return `${place} ${bar.elapsedSeconds ?? '?'}<${bar.remainingSeconds ?? '?'} ${metrics}`.trim();
}

describe('a progress bar', () => {
  it('tells place, times and figures (tao.md part 3, samples 4 and 5)', () => {
    assert.equal(
      barOf(
        '\rEpoch 3:  62%|######2   | 31/50 [00:21<00:13,  1.45it/s, v_num=1, train_loss_step=0.312, lr=0.0002]',
      ),
      'train 3 31/50 21<13 train_loss_step=0.312 lr=0.0002',
    );
    assert.equal(
      barOf(
        '\rEpoch 29: 100%|##########| 50/50 [00:36<00:00,  1.38it/s, v_num=1, train_loss_step=0.22, val_loss=0.19, train_loss_epoch=0.23]`Trainer.fit` stopped: `max_epochs=30` reached.\n',
      ),
      'train 29 50/50 36<0 train_loss_step=0.22 val_loss=0.19 train_loss_epoch=0.23',
    );
  });

  it('is read in the words of older Lightning, with blocks, hours, slow steps and no length', () => {
    const cases: Readonly<Record<string, string>> = {
      'Epoch 0:  50%|█████     | 1/2 [1:02:03<26:00:00, 2.5s/it, loss=1.2e-05, v_num=abc]':
        'train 0 1/2 3723<93600 loss=0.000012',
      'Epoch 0: |          | 12/? [00:03<?,  4.00it/s, v_num=1]': 'train 0 12/? 3<?',
      'Epoch 7: 12it [00:01,  8.51it/s, loss=-1e+3]': 'train 7 12/? 1<? loss=-1000',
      'Epoch 0:   0%|          | 0/6 [00:00<?, ?it/s, v_num=1]': 'train 0 0/6 0<?',
      'Sanity Checking: 0it [00:00, ?it/s]': 'sanity - 0/? 0<?',
      'Validation DataLoader 1:  50%|#####     | 2/4 [00:00<00:00, 50.00it/s]': 'validate - 2/4 0<0',
      'Predicting DataLoader 0: 100%|##########| 4/4 [00:02<00:00, 2.00it/s]': 'predict - 4/4 2<0',
    };
    for (const [line, expected] of Object.entries(cases)) assert.equal(barOf(`\r${line}\r`), expected, line);
  });

  it('shows NaN and infinities as what they are, padded by Lightning or not', () => {
    assert.equal(
      barOf('Epoch 0:  50%|##| 1/2 [00:01<00:01, 1it/s, a_loss=nan.0, b=inf.0, c=-inf, d=nan, e=0.5.]\n'),
      'train 0 1/2 1<1 a_loss=NaN b=Infinity c=-Infinity d=NaN',
    );
  });

  it('that was cut at the width of the terminal loses only what was cut', () => {
    const cut = 'Epoch 3:  62%|######2   | 31/50 [00:21<00:13,  1.45it/s, v_num=1, loss=0.31, lr=0.00';
    const expected = 'train 3 31/50 21<13 loss=0.31';
    assert.equal(barOf(`\r${cut}\r`), expected);
    assert.equal(barOf(`\r${cut}\n`), expected);
    assert.equal(barOf(`\r${cut}`), expected);
    assert.equal(barOf('\rEpoch 3:  62%|######2   | 31/50 [00:21<0\r'), 'train 3 31/50 ?<?');
    for (const none of ['Epoch 3:  62%|######2   | 31/5', 'Epoch 3:  62%|####', 'Epoch 3:', 'Epoch 3']) {
      assert.equal(barOf(`\r${none}\r`), 'none', none);
    }
  });

  it('that was cut and has the next line glued to it takes nothing from that', () => {
    const events = eventsOf(
      '\rEpoch 3:  62%|##| 31/50 [00:21<00:13, 1.45it/s, loss=0.31, train_lo2026-03-07 10:00:00,111 - [TAO Toolkit] - WARNING - Execution status: FAIL (entrypoint.py:373)\n',
    );
    const bar = events.find(({ kind }) => kind === 'bar');
    assert.deepEqual(bar?.kind === 'bar' ? bar.metrics : undefined, [{ name: 'loss', value: 0.31 }]);
    assert.ok(events.some((event) => event.kind === 'executionStatus' && event.status === 'FAIL'));
  });

  it('is found behind other words, between colours, and several in one line', () => {
    const bar = (done: number) => `Epoch 0:  50%|##| ${done}/9 [00:01<00:01, 1it/s]`;
    assert.deepEqual(
      barsOf(`words ${bar(1)}${bar(2)} and \u001b[32m${bar(3)}\u001b[0m\n`).map(({ done }) => done),
      [1, 2, 3],
    );
    assert.equal(barOf('Epoch 0:  50%|\u001b[32m##\u001b[0m| 4/9 [00:01<00:01, 1it/s]\n'), 'train 0 4/9 1<1');
  });

  it('is told once, however often it is drawn, and again when a figure changes', () => {
    const draw = (loss: string) => `\rEpoch 0:  50%|##| 1/2 [00:01<00:01, 1it/s, loss=${loss}]`;
    const events = barsOf(draw('0.5') + draw('0.5') + draw('nan') + draw('nan') + draw('0.5'));
    assert.deepEqual(
      events.map(({ metrics }) => metrics[0]?.value),
      [0.5, Number.NaN, 0.5],
    );
  });

  it('is not seen in what only looks like one', () => {
    for (const text of [
      'Epoch 3 finished',
      'Epoch 00012: saving model',
      'Epoch 3: loss 0.5 [1/2]',
      'Validation',
      'Testing is done: 5',
      `Epoch ${'9'.repeat(400)}: 1%|#| 1/2 [00:00<00:00, 1it/s]`,
      `Epoch 1: 1%|${'#'.repeat(5000)}| 1/2 [00:00<00:00, 1it/s]`,
    ]) {
      assert.equal(barOf(`\r${text}\n`), 'none', text.slice(0, 40));
    }
  });

  it('may show as many figures as it likes, without filling the memory', () => {
    let names = 0;
    for (let line = 0; line < 2000; line++) {
      for (const { metrics } of barsOf(
        `Epoch 0: 1%|#| ${line}/9999 [00:00<00:00, 1it/s, figure_${line}=1]\r`,
      )) {
        names += metrics.length;
      }
    }
    assert.equal(names, 2000, 'each is a parser of its own');
    const many = Array.from(
      { length: 2000 },
      (_, line) => `\rEpoch 0: 1%|#| ${line}/9999 [00:00<00:00, 1it/s, f${line}=1]`,
    );
    const told = barsOf(many.join('')).reduce((sum, { metrics }) => sum + metrics.length, 0);
    assert.equal(told, 128);
  });
});
