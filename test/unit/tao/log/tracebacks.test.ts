import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventsOf } from '../recordedLogs.ts';

function exceptionsOf(text: string): readonly string[] {
  return eventsOf(text).flatMap((event) =>
    event.kind === 'exception' ? [`${event.rank ?? '-'} ${event.type}: ${event.text}`] : [],
  );
}

describe('a traceback', () => {
  it('ends with its exception, as Python writes it', () => {
    assert.deepEqual(
      exceptionsOf(
        'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    raise hydra.errors.X("Error: no")\nhydra.errors.InstantiationException: Error in call\n',
      ),
      ['- hydra.errors.InstantiationException: Error in call'],
    );
    assert.deepEqual(exceptionsOf('Traceback (most recent call last):\n  x\nKeyboardInterrupt\n'), [
      '- KeyboardInterrupt: ',
    ]);
    assert.deepEqual(exceptionsOf('Traceback (most recent call last):\n  x\nAssertionError'), [
      '- AssertionError: ',
    ]);
  });

  it('is understood when its lines are glued (bytes of tao.md part 3)', () => {
    assert.deepEqual(
      exceptionsOf(
        '\r[rank0]: Traceback (most recent call last):  File "a.py", line 1, in f\n\rreturn x[0]torch.OutOfMemoryError: CUDA out of memory.\n',
      ),
      ['0 torch.OutOfMemoryError: CUDA out of memory.'],
    );
    assert.deepEqual(
      exceptionsOf('\rTraceback (most recent call last):\n\ry = x[0].fooRuntimeError: boom\n'),
      ['- RuntimeError: boom'],
    );
  });

  it('belongs to the rank that it is marked with, although those of others come in between', () => {
    assert.deepEqual(
      exceptionsOf(
        [
          '[rank0]: Traceback (most recent call last):',
          '[rank1]: Traceback (most recent call last):',
          '[rank1]:   File "a.py", line 1',
          '[rank0]:   File "a.py", line 1',
          '[rank1]: ValueError: one',
          '[rank0]: KeyError: zero',
          '',
        ].join('\r'),
      ),
      ['1 ValueError: one', '0 KeyError: zero'],
    );
  });

  it('that was caught is followed by the one that was not', () => {
    assert.deepEqual(
      exceptionsOf(
        "Traceback (most recent call last):\nKeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\nValueError: b\n",
      ),
      ["- KeyError: 'a'", '- ValueError: b'],
    );
  });

  it('is not seen in code, or in words that only look like an exception', () => {
    assert.deepEqual(
      exceptionsOf(
        [
          'ValueError: without a traceback',
          'Traceback (most recent call last):',
          '    except KeyError: # no',
          '    raise RuntimeError(',
          '  Error: indented',
          'Error executing job with overrides: []',
          "print('IOError: x')",
          'OSError: yes',
          'TypeError: after the end',
          '',
        ].join('\n'),
      ),
      ['- OSError: yes'],
    );
  });
});
