import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAnswer } from '../../../src/remote/answer.ts';

const TOKEN = '0a1b2c3d';
const run = (stdout: string, exitCode = 0, token = TOKEN) =>
  `@@brev-begin ${token}\n${stdout}\n@@brev-end ${token} ${exitCode}\n`;

describe('an answer', () => {
  it('is what stands between its marks, and its exit code', () => {
    for (const stdout of [
      '',
      'ok',
      'ok\n',
      '\n\n',
      'a\nb\n',
      '学習 🚀',
      '@@brev-end x 0',
      '@@brev-begin\n',
      '\n@@brev-end other 3\n',
    ]) {
      assert.deepEqual(readAnswer(run(stdout, 7), TOKEN), { exitCode: 7, stdout });
    }
  });

  it('is found in what the route adds before and after', () => {
    const noisy = `Agent pid 4711\n\n${run('ok\n')}gpu1\n`;
    assert.deepEqual(readAnswer(noisy, TOKEN), { exitCode: 0, stdout: 'ok\n' });
    assert.deepEqual(readAnswer(`printed without a line end${run('ok')}gpu1`, TOKEN), {
      exitCode: 0,
      stdout: 'ok',
    });
  });

  it('is the last complete one after a replay', () => {
    const whole = run('first', 1);
    for (let cut = 0; cut < whole.length; cut++) {
      assert.deepEqual(
        readAnswer(whole.slice(0, cut) + run('second', 0), TOKEN),
        { exitCode: 0, stdout: 'second' },
        `cut at ${cut}`,
      );
    }
    assert.deepEqual(readAnswer(whole + run('second', 0), TOKEN), { exitCode: 0, stdout: 'second' });
  });

  it('is none where it was cut, or belongs to another call', () => {
    const whole = run('text');
    for (let cut = 0; cut < whole.length - 1; cut++) {
      assert.equal(readAnswer(whole.slice(0, cut), TOKEN), undefined, `cut at ${cut}`);
    }
    assert.equal(readAnswer(run('text', 0, 'other'), TOKEN), undefined);
    assert.equal(readAnswer('', TOKEN), undefined);
  });
});
