import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { LogText } from '../../../src/jobs/logText.ts';
import { inPieces, seededRandom } from './seededRandom.ts';

const show = (text: string): string => {
  const log = new LogText();
  return log.push(Buffer.from(text)) + log.flush();
};

const BAR = (epoch: number, percent: number) =>
  `\rEpoch ${epoch}: ${String(percent).padStart(3)}%|#####     | ${percent}/100 [00:21<00:13,  1.45it/s, v_num=1, lr=0.0002]`;

describe('a log as text', () => {
  it('is lines as they are', () => {
    assert.equal(show('one\ntwo\r\n\nthree'), 'one\ntwo\n\nthree');
  });

  it('has no colours and other control codes', () => {
    assert.equal(show('\u001b[38;20mgrey\u001b[0m \u001b]0;title\u0007null\0\n'), 'grey null\n');
  });

  it('has the last picture of a bar that draws itself again and again', () => {
    assert.equal(
      show(`start\n${BAR(0, 1)}${BAR(0, 50)}${BAR(0, 100)}\nend\n`),
      `start\n${BAR(0, 100).slice(1)}\nend\n`,
    );
  });

  it('keeps every line that is no picture of a bar, also where TAO separates them by returns', () => {
    // any line with […] in it is re-emitted as a return and the text, without a line end (tao.md part 3)
    const lines = [
      '2026-03-07 10:00:00,111 - [TAO Toolkit] - INFO - Starting Segformer train. (train.py:30)',
      '2026-03-07 10:00:00,222 - [TAO Toolkit] - INFO - GPUs: [0] (train.py:31)',
      'LOCAL_RANK: 0 - CUDA_VISIBLE_DEVICES: [0]',
      '[rank0]: Traceback (most recent call last):',
      '[rank0]:   File "a.py", line 1, in f',
    ];
    const shown = show(`${lines.map((line) => `\r${line}`).join('')}${BAR(0, 3)}${BAR(0, 7)}\r${lines[0]}\n`);
    for (const line of lines) {
      assert.ok(shown.includes(`${line}\n`), `${line}\n\n${shown}`);
    }
    assert.ok(!shown.includes('  3%'), shown);
  });

  it('shows what is glued to a bar by the missing line end', () => {
    const glued = `${BAR(29, 100)}\`Trainer.fit\` stopped: \`max_epochs=30\` reached.\n`;
    assert.equal(show(glued), glued.slice(1));
  });

  it('shows an unfinished line when asked to, and only what is new of it the next time', () => {
    const log = new LogText();
    assert.equal(log.push(Buffer.from('Epoch 1/10')), '');
    assert.equal(log.flush(), 'Epoch 1/10');
    assert.equal(log.flush(), '');
    assert.equal(log.push(Buffer.from(' done\nnext')), ' done\n');
    assert.equal(log.flush(), 'next');
  });

  it('begins a new line for a bar that is drawn again after it was shown', () => {
    const log = new LogText();
    log.push(Buffer.from(BAR(0, 10)));
    assert.match(log.flush(), / 10%/);
    assert.match(log.push(Buffer.from(BAR(0, 20))), /^\n?$/);
    assert.match(log.flush(), /^\n?Epoch 0: {2}20%/);
  });

  it('is the same however the bytes are cut', () => {
    const text = `\u001b[31mred\u001b[0m 学習 🚀\n${BAR(0, 1)}${BAR(0, 2)}\nline\r\n\r\nlast \u001b]8;;x\u0007y\n`;
    for (let seed = 1; seed <= 200; seed++) {
      const log = new LogText();
      const shown = inPieces(Buffer.from(text), seededRandom(seed), 6).map((piece) => log.push(piece));
      assert.equal(shown.join('') + log.flush(), show(text), `seed ${seed}`);
    }
  });

  it('never shows half a control code or half a character, however often it is flushed', () => {
    const text = '\u001b[38;20mgrey\u001b[0m 学習 ok\n';
    for (let seed = 1; seed <= 200; seed++) {
      const log = new LogText();
      const shown = inPieces(Buffer.from(text), seededRandom(seed), 3).map(
        (piece) => log.push(piece) + log.flush(),
      );
      assert.equal(shown.join('') + log.flush(), 'grey 学習 ok\n', `seed ${seed}`);
    }
  });

  it('does not gather a log without line ends in memory', () => {
    const log = new LogText();
    let shown = 0;
    for (let count = 0; count < 200; count++) {
      shown += log.push(Buffer.alloc(10_000, 'x')).length;
    }
    assert.ok(shown > 1_900_000, String(shown));
  });

  it('takes broken UTF-8', () => {
    assert.match(show('a\n') + show(Buffer.from([0x61, 0xff, 0xc3, 0x0a]).toString('latin1')), /a/);
    const log = new LogText();
    assert.match(log.push(Buffer.from([0x61, 0xff, 0xfe, 0x62, 0x0a])), /^a\ufffd+b\n$/);
  });

  it('is quick for any megabyte', () => {
    const texts = [
      '\r',
      '\n',
      '\u001b',
      '\u001b[',
      '\u001b]',
      'x',
      BAR(0, 1),
      '\ra',
      '\r%',
      '\r1%',
      '学',
    ].map((piece) => piece.repeat(Math.ceil(500_000 / piece.length)));
    // the work of a moment; what is quadratic takes minutes, and only this can interrupt it
    runInNewContext(
      'texts.forEach(show)',
      { texts, show: (text: string) => show(text) },
      { timeout: 60_000 },
    );
  });
});
