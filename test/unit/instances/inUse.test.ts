import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { InUse } from '../../../src/instances/inUse.ts';
import { temporaryFolder } from '../process/temporaryFolder.ts';

const windows = (t: TestContext) => {
  const folder = path.join(temporaryFolder(t), 'idle');
  return { folder, one: new InUse(folder, '1'), two: new InUse(folder, '2') };
};

describe('an instance in use', () => {
  it('is seen so by all windows until the last one is done with it', async (t) => {
    const { one, two } = windows(t);
    assert.equal(await one.anywhere('a'), false);
    await one.begin('a');
    await two.begin('a');
    assert.deepEqual([await one.anywhere('a'), await two.anywhere('a')], [true, true]);
    assert.equal(await one.anywhere('b'), false);
    await one.end('a');
    assert.equal(await one.anywhere('a'), true);
    await two.end('a');
    assert.deepEqual([await one.anywhere('a'), await two.anywhere('a')], [false, false]);
  });

  it('is told by the last step of a window, however fast they come', async (t) => {
    const { one, two } = windows(t);
    await Promise.all([one.begin('a'), one.begin('a'), one.end('a'), one.begin('a')]);
    assert.equal(await two.anywhere('a'), true);
    await Promise.all([one.end('a'), one.begin('a'), one.end('a'), one.end('a')]);
    assert.equal(await two.anywhere('a'), false);
  });

  it('is not in use by a window that died, and leaves nothing of it', async (t) => {
    const { folder, one } = windows(t);
    await one.begin('a');
    await one.end('a');
    writeFileSync(path.join(folder, 'a@99'), '999999999');
    assert.equal(await one.anywhere('a'), false);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('is asked about by one window at a time, which is no use of it', async (t) => {
    const { one, two } = windows(t);
    const turn = await one.turn('a');
    assert.ok(turn !== undefined);
    assert.equal(await two.turn('a'), undefined);
    assert.equal(await two.anywhere('a'), false);
    await turn.release();
    assert.notEqual(await two.turn('a'), undefined);
  });

  it('has a name that is safe as a file’s, and is no other’s beginning', async (t) => {
    const { folder, one, two } = windows(t);
    await one.begin('../../x');
    assert.equal(await two.anywhere('../../x'), true);
    assert.equal(readdirSync(folder).length, 1);
    await one.begin('ab');
    assert.equal(await two.anywhere('a'), false);
  });
});
