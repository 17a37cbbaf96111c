import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { LocalLog } from '../../../src/jobs/localLog.ts';
import { temporaryFolder } from '../process/temporaryFolder.ts';
import { seededRandom } from './seededRandom.ts';

function localLog(
  t: TestContext,
  file = path.join(temporaryFolder(t), 'log'),
): { file: string; log: LocalLog } {
  const log = new LocalLog(file);
  t.after(() => log.close());
  return { file, log };
}

describe('the local copy of a log', () => {
  it('is the remote log, byte by byte, whatever comes twice, late or overlapping', (t) => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = seededRandom(seed);
      const remote = Buffer.from(Array.from({ length: 3_000 }, () => Math.floor(random() * 256)));
      const { file, log } = localLog(t);
      while (log.size < remote.length) {
        // mostly from where the copy ends, now and then from before or after it
        const jump = random() < 0.4 ? Math.floor((random() - 0.5) * 400) : 0;
        const offset = Math.min(Math.max(0, log.size + jump), remote.length);
        const before = log.size;
        const what = log.append(offset, remote.subarray(offset, offset + Math.floor(random() * 200)));
        assert.equal(what, offset > before ? 'gap' : log.size > before ? 'written' : 'known');
      }
      assert.ok(readFileSync(file).equals(remote), `seed ${seed}`);
    }
  });

  it('leaves no gap', (t) => {
    const { file, log } = localLog(t);
    assert.equal(log.append(1, Buffer.from('b')), 'gap');
    assert.equal(log.append(0, Buffer.from('ab')), 'written');
    assert.equal(log.append(3, Buffer.from('d')), 'gap');
    assert.equal(log.append(2, Buffer.alloc(0)), 'known');
    assert.equal(readFileSync(file, 'utf8'), 'ab');
  });

  it('goes on where it was after a reload', (t) => {
    const { file, log } = localLog(t);
    log.append(0, Buffer.from('first '));
    const again = localLog(t, file).log;
    assert.equal(again.size, 6);
    assert.equal(again.append(0, Buffer.from('first')), 'known');
    assert.equal(again.append(3, Buffer.from('st second')), 'written');
    assert.equal(readFileSync(file, 'utf8'), 'first second');
  });

  it('has its bytes in the file before the next are looked at', (t) => {
    const { file, log } = localLog(t);
    for (let count = 1; count <= 5; count++) {
      log.append(log.size, Buffer.from('x'));
      assert.equal(statSync(file).size, count);
    }
  });

  it('is only for its owner', (t) => {
    assert.equal(statSync(localLog(t).file).mode & 0o777, 0o600);
  });

  it('keeps what is there when it is longer than what the remote end has', (t) => {
    const file = path.join(temporaryFolder(t), 'log');
    writeFileSync(file, 'long ago');
    const { log } = localLog(t, file);
    assert.equal(log.append(0, Buffer.from('long')), 'known');
    assert.equal(readFileSync(file, 'utf8'), 'long ago');
  });
});
