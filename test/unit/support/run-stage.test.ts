import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runStage } from '../../run-stage.ts';

const quiet = () => undefined;
const never = new AbortController().signal;
const counting = (code: string) => ({ name: 'sample', argv: ['-e', code], counts: true });

describe('runStage', () => {
  it('takes the totals from the output, and their line away', async () => {
    const stage = counting("console.log('one\\n3 passed, 0 failed, 1 skipped')");
    const { totals, output } = await runStage(stage, quiet, never);
    assert.deepEqual({ totals, output }, { totals: { passed: 3, failed: 0, skipped: 1 }, output: 'one' });
  });

  it('fails a stage whose process failed, whatever its totals say', async () => {
    const stage = counting("console.log('3 passed, 0 failed, 0 skipped'); process.exitCode = 3");
    const { totals, output } = await runStage(stage, quiet, never);
    assert.deepEqual(totals, { passed: 3, failed: 1, skipped: 0 });
    assert.match(output, /exit code 3/);
  });

  it('fails a stage that ran no tests', async () => {
    for (const argv of [['-e', "console.log('0 passed, 0 failed, 2 skipped')"], ['-e', ''], []]) {
      const { totals, output } = await runStage({ name: 'sample', argv, counts: true }, quiet, never);
      assert.equal(totals.failed, 1);
      assert.match(output, /ran no tests/);
    }
  });

  it('counts a stage without totals as one test', async () => {
    const result = async (code: string) =>
      (await runStage({ name: 'lint', argv: ['-e', code], counts: false }, quiet, never)).totals;
    assert.deepEqual(await result(''), { passed: 1, failed: 0, skipped: 0 });
    assert.deepEqual(await result('process.exitCode = 1'), { passed: 0, failed: 1, skipped: 0 });
  });

  it('ends the process when asked to', async () => {
    const stop = new AbortController();
    const stage = counting("console.log('begun'); setInterval(() => {}, 1000)");
    const { totals } = await runStage(stage, () => stop.abort(), stop.signal);
    assert.equal(totals.failed, 1);
  });
});
