import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LineEcho } from '../../brev-sim/machine/tao/echo.ts';
import { LossCurve } from '../../brev-sim/machine/tao/loss-curve.ts';
import { progressBar } from '../../brev-sim/machine/tao/progress-bar.ts';
import { barNumber, Float, pythonJson, timedelta } from '../../brev-sim/machine/tao/python-text.ts';

function echo(...writes: string[]): string {
  let output = '';
  const line = new LineEcho((text) => {
    output += text;
  });
  for (const text of writes) line.take(text);
  line.finish();
  return output;
}

describe('the launcher’s echo', () => {
  it('glues a traceback of a rank, byte for byte as it was measured', () => {
    assert.equal(
      echo(
        '[rank0]: Traceback (most recent call last):\n  File "a.py", line 1, in f\nreturn x[0]\ntorch.OutOfMemoryError: CUDA out of memory.\n',
      ),
      '\r[rank0]: Traceback (most recent call last):  File "a.py", line 1, in f\n\rreturn x[0]torch.OutOfMemoryError: CUDA out of memory.\n',
    );
  });

  it('passes plain lines on, and writes a bar only when the next one begins', () => {
    assert.equal(echo('plain\n'), 'plain\n');
    let output = '';
    const line = new LineEcho((text) => {
      output += text;
    });
    line.take('\rEpoch 0:   0%| [x]');
    assert.equal(output, '\n');
    line.take('\rEpoch 0:  50%| [x]');
    assert.equal(output, '\n\rEpoch 0:   0%| [x]');
  });

  it('takes \\r\\n as one line end, across writes too', () => {
    assert.equal(echo('a\r', '\nb\r\n'), 'a\nb\n');
  });
});

describe('python’s texts', () => {
  it('json.dumps', () => {
    assert.equal(
      pythonJson({ a: 1, b: new Float(1), c: new Float(Number.NaN), d: 'é"', e: { f: new Float(1e-5) } }),
      '{"a": 1, "b": 1.0, "c": NaN, "d": "\\u00e9\\"", "e": {"f": 1e-05}}',
    );
  });

  it('timedelta', () => {
    assert.deepEqual([72.5, 62.345678, 93_784, 0, 183_784.5].map(timedelta), [
      '0:01:12.500000',
      '0:01:02.345678',
      '1 day, 2:03:04',
      '0:00:00',
      '2 days, 3:03:04.500000',
    ]);
  });

  it('numbers of a progress bar', () => {
    assert.deepEqual(
      [0.3121, 0.22, 0.0221, 0.0002, 1.9e-7, 1, 12.5, 123, Number.NaN, 0.000968].map(barNumber),
      ['0.312', '0.220', '0.0221', '0.0002', '1.9e-7', '1.000', '12.50', '123.0', 'nan.0', '0.000968'],
    );
  });

  it('a bar, as in the contract’s samples', () => {
    const postfix = { v_num: '1', train_loss_step: 0.312, lr: 0.0002 };
    assert.equal(
      progressBar({ label: 'Epoch 3', done: 31, total: 50, seconds: 21.4, postfix }),
      'Epoch 3:  62%|######2   | 31/50 [00:21<00:13,  1.45it/s, v_num=1, train_loss_step=0.312, lr=0.0002]',
    );
    assert.equal(
      progressBar({ label: 'Epoch 0', done: 0, total: 50, seconds: 0, postfix: {} }),
      'Epoch 0:   0%|          | 0/50 [00:00<?, ?it/s]',
    );
    assert.equal(
      progressBar({ label: 'Epoch 0', done: 5, total: 10, seconds: 3700, postfix: {} }, true),
      'Epoch 0:  50%|█████     | 5/10 [1:01:40<1:01:40,  0.00it/s]',
    );
  });
});

describe('a loss curve', () => {
  it('is the same for the same seed, another for another, and falls', () => {
    const losses = (seed: string): number[] => {
      const curve = new LossCurve(seed, 100);
      return Array.from({ length: 100 }, (_, step) => curve.trainLoss(step));
    };
    assert.deepEqual(losses('a'), losses('a'));
    assert.notDeepEqual(losses('a'), losses('b'));
    const [first = 0] = losses('a');
    assert.ok((losses('a').at(-1) ?? first) < first / 4);
  });
});
