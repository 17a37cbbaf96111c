import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type FollowProgress, followToEnd } from '../../../src/jobs/follow.ts';
import { LocalLog } from '../../../src/jobs/localLog.ts';
import type { JobEnd } from '../../../src/platforms/platform.ts';
import { FakeClock, settled } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../process/temporaryFolder.ts';
import {
  COMPLETE,
  type Connection,
  disconnected,
  FINISHED,
  PlayedPlatform,
  untilAborted,
} from './playedPlatform.ts';
import { seededRandom } from './seededRandom.ts';

const TARGET = { jobId: 'j', instanceId: 'i', instanceName: 'gpu1' };

function follow(t: TestContext, connections: readonly Connection[], random: () => number = () => 1) {
  const folder = temporaryFolder(t);
  const clock = new FakeClock();
  const platform = new PlayedPlatform(...connections);
  const logs = {
    log: new LocalLog(path.join(folder, 'log')),
    status: new LocalLog(path.join(folder, 'status')),
  };
  t.after(() => {
    logs.log.close();
    logs.status.close();
  });
  const abort = new AbortController();
  const progress: FollowProgress[] = [];
  let ended: JobEnd | undefined | 'following' = 'following';
  const following = followToEnd({
    platform,
    target: TARGET,
    logs,
    clock,
    random,
    onProgress: (each) => progress.push(each),
    signal: abort.signal,
  }).then((end) => {
    ended = end;
  });
  return {
    abort,
    clock,
    following,
    platform,
    progress,
    ended: () => ended,
    log: () => readFileSync(path.join(folder, 'log')),
    status: () => readFileSync(path.join(folder, 'status'), 'utf8'),
    pauses: () => progress.flatMap((each) => (each.kind === 'reconnecting' ? [each.inMs] : [])),
  };
}

describe('following a job', () => {
  it('copies both streams and ends with the end frame alone', async (t) => {
    const its = follow(t, [
      (sink) => {
        sink.onStep('run');
        sink.onBytes('log', 0, Buffer.from('one\n'));
        sink.onBytes('status', 0, Buffer.from('{}\n'));
        sink.onBytes('log', 4, Buffer.from('two\n'));
        return FINISHED;
      },
    ]);
    await its.following;
    assert.deepEqual(its.ended(), COMPLETE);
    assert.equal(its.log().toString(), 'one\ntwo\n');
    assert.equal(its.status(), '{}\n');
    assert.deepEqual(its.progress[0], { kind: 'step', step: 'run' });
  });

  it('begins again where the copy ends, over any number of broken connections, without loss', async (t) => {
    const random = seededRandom(7);
    const remote = Buffer.from(Array.from({ length: 20_000 }, () => Math.floor(random() * 256)));
    let connections = 0;
    const its = follow(t, [
      (sink, { log }) => {
        connections++;
        // each sends a little more than is known, some of it twice, and breaks
        let at = Math.max(0, log - Math.floor(random() * 50));
        for (let frames = 0; frames < 3; frames++) {
          const bytes = remote.subarray(at, at + Math.floor(random() * 600));
          sink.onBytes('log', at, bytes);
          at += bytes.length;
        }
        return log >= remote.length ? FINISHED : disconnected();
      },
    ]);
    await its.clock.advance(3_600_000);
    assert.deepEqual(its.ended(), COMPLETE);
    assert.ok(its.log().equals(remote));
    assert.ok(connections > 10);
    assert.deepEqual(its.platform.asked[0], { log: 0, status: 0 });
    for (const [index, asked] of its.platform.asked.entries()) {
      assert.ok(index === 0 || asked.log >= (its.platform.asked[index - 1]?.log ?? 0));
    }
  });

  it('asks again from the end of the copy when bytes between are missing', async (t) => {
    const its = follow(t, [
      (sink, _, signal) => {
        sink.onBytes('log', 0, Buffer.from('ab'));
        sink.onBytes('log', 5, Buffer.from('fg'));
        assert.equal(signal.aborted, true);
        return { kind: 'cancelled' };
      },
      (sink, { log }) => {
        sink.onBytes('log', log, Buffer.from('cdefg'));
        return FINISHED;
      },
    ]);
    await its.clock.advance(60_000);
    assert.equal(its.log().toString(), 'abcdefg');
    assert.deepEqual(its.platform.asked[1], { log: 2, status: 0 });
  });

  it('never takes the end of a connection for the end of the job', async (t) => {
    const its = follow(t, [() => disconnected('x')]);
    await its.clock.advance(24 * 3_600_000);
    assert.equal(its.ended(), 'following');
    assert.ok(its.platform.asked.length > 1_000);
    its.abort.abort();
    await its.following;
    assert.equal(its.ended(), undefined);
  });
});

describe('the pause before the next connection', () => {
  it('grows up to half a minute', async (t) => {
    const its = follow(t, [() => disconnected('x')]);
    await its.clock.advance(300_000);
    const pauses = its.pauses();
    assert.deepEqual(pauses.slice(0, 7), [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
    assert.ok(pauses.every((pause) => pause <= 30_000));
  });

  it('is short again after a sign of life: new bytes, or a step', async (t) => {
    for (const sign of ['bytes', 'step'] as const) {
      let count = 0;
      const its = follow(t, [
        (sink, { log }) => {
          count++;
          if (count === 5) {
            if (sign === 'bytes') {
              sink.onBytes('log', log, Buffer.from('x'));
            } else {
              sink.onStep('run');
            }
          }
          return disconnected('x');
        },
      ]);
      await its.clock.advance(60_000);
      assert.deepEqual(its.pauses().slice(0, 7), [500, 1_000, 2_000, 4_000, 500, 1_000, 2_000], sign);
    }
  });

  it('stays long when a connection only repeats what is known', async (t) => {
    const its = follow(t, [
      (sink) => {
        sink.onBytes('log', 0, Buffer.from('same'));
        return disconnected('x');
      },
    ]);
    await its.clock.advance(60_000);
    assert.deepEqual(its.pauses().slice(0, 5), [500, 1_000, 2_000, 4_000, 8_000]);
  });

  it('users G: coder#654/#595 is minutes where a right is missing, and grows to an hour: no endless retries', async (t) => {
    const refused = { kind: 'disconnected', reason: 'not allowed', refused: true } as const;
    const its = follow(t, [() => refused]);
    await its.clock.advance(24 * 3_600_000);
    assert.deepEqual(
      its
        .pauses()
        .slice(0, 5)
        .map((ms) => ms / 60_000),
      [5, 10, 20, 40, 60],
    );
    assert.ok(its.pauses().length <= 28, String(its.pauses().length));
    assert.equal(its.ended(), 'following', 'a job that cannot be seen has not failed');
  });

  it('differs between windows, by up to a half', async (t) => {
    const its = follow(t, [() => disconnected('x')], () => 0);
    await its.clock.advance(60_000);
    assert.deepEqual(its.pauses().slice(0, 3), [250, 500, 1_000]);
  });

  it('says why', async (t) => {
    const its = follow(t, [() => disconnected('the connection stalled')]);
    await its.clock.advance(0);
    assert.deepEqual(its.progress.at(-1), {
      kind: 'reconnecting',
      reason: 'the connection stalled',
      inMs: 500,
      gone: false,
    });
  });
});

describe('following no longer', () => {
  it('ends at once, in the middle of a connection or of a pause', async (t) => {
    for (const connection of [
      (_sink: unknown, _offsets: unknown, signal: AbortSignal) => untilAborted(signal),
      () => disconnected(),
    ]) {
      const its = follow(t, [connection]);
      await settled();
      its.abort.abort();
      await its.following;
      assert.equal(its.ended(), undefined);
      assert.equal(its.clock.waiting, 0);
    }
  });

  it('leaves no listener behind, however many connections there were', async (t) => {
    const its = follow(t, [() => disconnected()]);
    await its.clock.advance(60_000);
    assert.ok(getEventListeners(its.abort.signal, 'abort').length <= 1);
    its.abort.abort();
    await its.following;
    assert.equal(getEventListeners(its.abort.signal, 'abort').length, 0);
  });

  it('keeps an end that came together with the order to stop', async (t) => {
    let stop = (): void => undefined;
    const its = follow(t, [
      async () => {
        await settled();
        stop();
        return FINISHED;
      },
    ]);
    stop = () => its.abort.abort();
    await its.following;
    assert.deepEqual(its.ended(), COMPLETE);
  });
});
