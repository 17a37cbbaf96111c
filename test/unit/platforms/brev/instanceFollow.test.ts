import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InstanceFollow } from '../../../../src/platforms/brev/instanceFollow.ts';
import type { FollowEnd, FollowSink } from '../../../../src/platforms/platform.ts';
import type { RemoteScript, RemoteShell } from '../../../../src/remote/shell.ts';
import type { Failure } from '../../../../src/values/failure.ts';
import { message } from '../../../../src/values/message.ts';
import { cancelled, failed, type Outcome, ok } from '../../../../src/values/outcome.ts';
import { deferred } from '../../../support/deferred.ts';
import { FakeClock, settled } from '../../../support/fake-clock.ts';

/** One connection, as the test plays it. */
interface Connection {
  readonly args: readonly string[];
  readonly aborted: () => boolean;
  say(text: string): void;
  end(outcome?: Outcome<void>): void;
}

const unplayed = (): Promise<never> => Promise.reject(new Error('not played'));

/** An instance whose connections the test plays, and what each job's follower heard. */
function instance(
  shellOf?: () => Promise<Outcome<RemoteShell>>,
  untilUsable?: (signal: AbortSignal) => Promise<void>,
) {
  const clock = new FakeClock();
  const connections: Connection[] = [];
  const shell: RemoteShell = {
    route: 'ssh',
    run: unplayed,
    upload: unplayed,
    download: unplayed,
    stream: (script: RemoteScript, onStdout, signal) => {
      const ended = deferred<Outcome<void>>();
      signal.addEventListener('abort', () => ended.resolve(cancelled), { once: true });
      connections.push({
        args: script.args,
        aborted: () => signal.aborted,
        say: (text) => onStdout(Buffer.from(text)),
        end: (outcome = ok(undefined)) => ended.resolve(outcome),
      });
      return ended.promise;
    },
  };
  const follow = new InstanceFollow({
    clock,
    shell: shellOf ?? (async () => ok(shell)),
    ...(untilUsable && { untilUsable }),
  });
  const start = async (jobId: string, known = 0, onBytes: (bytes: string) => void = () => undefined) => {
    const heard: string[] = [];
    const abort = new AbortController();
    const sink: FollowSink = {
      onBytes: (stream, offset, bytes) => {
        onBytes(Buffer.from(bytes).toString());
        heard.push(`${stream} ${offset} ${Buffer.from(bytes).toString()}`);
      },
      onTruncated: (stream, size) => heard.push(`${stream} cut to ${size}`),
      onStep: (step) => heard.push(`step ${step}`),
    };
    const its: { end: FollowEnd | undefined; error: unknown } = { end: undefined, error: undefined };
    follow
      .follow({ jobId, instanceId: 'i', instanceName: 'gpu1' }, { log: known, status: 0 }, sink, abort.signal)
      .then(
        (end) => {
          its.end = end;
        },
        (error: unknown) => {
          its.error = error;
        },
      );
    await settled();
    return { abort, heard, end: () => its.end, error: () => its.error };
  };
  return { clock, connections, start };
}

const log = (job: number, offset: number, text: string): string =>
  `@brev frame 1-1 ${job} log ${offset} ${text.length}\n${text}\n@brev end 1-1\n`;
const finish = (job: number, exit: number): string =>
  `\n@brev finish 1-1 ${job}\nstep=run\nexit=${exit}\noom=false\nerror=\n@brev end 1-1\n`;

/** Two jobs that share a connection. */
async function two() {
  const its = instance();
  const a = await its.start('a');
  const b = await its.start('b', 5);
  await its.clock.advance(1_000);
  await settled();
  const connection = its.connections.at(-1);
  assert.ok(connection !== undefined);
  return { ...its, a, b, connection };
}

describe('the jobs of an instance', () => {
  it('share one connection, on which each hears its own', async () => {
    const { a, b, connection, connections } = await two();
    assert.deepEqual(connection.args, ['a', '0', '0', 'b', '5', '0']);
    assert.deepEqual(
      connections.map(({ aborted }) => aborted()),
      [true, false],
    );
    connection.say(`@brev beat 1-1 0 run\n${log(1, 5, 'of b')}${log(0, 0, 'of a')}`);
    assert.deepEqual(a.heard, ['step run', 'log 0 of a']);
    assert.deepEqual(b.heard, ['log 5 of b']);
  });

  it('go on where they were when another one joins', async () => {
    const { clock, connection, connections, start } = await two();
    connection.say(log(0, 0, '1234567'));
    await start('c');
    await start('d');
    await clock.advance(1_000);
    await settled();
    assert.equal(connections.length, 3);
    assert.ok(connection.aborted());
    assert.deepEqual(connections.at(-1)?.args, ['a', '7', '0', 'b', '5', '0', 'c', '0', '0', 'd', '0', '0']);
  });

  it('end one by one, and the connection with the last of them', async () => {
    const { a, b, connection, connections, start } = await two();
    connection.say(finish(1, 3));
    await settled();
    const ended = b.end();
    assert.ok(ended?.kind === 'finished');
    assert.equal(ended.end.exitCode, 3);
    assert.equal(a.end(), undefined);
    connection.say(`${log(1, 5, 'late')}${finish(0, 0)}`);
    await settled();
    assert.equal(a.end()?.kind, 'finished');
    assert.deepEqual(b.heard, []);
    connection.end();
    await start('later');
    assert.deepEqual(connections.at(-1)?.args, ['later', '0', '0']);
  });

  it('are all told when the connection breaks, each once', async () => {
    const { a, b, connection, connections } = await two();
    const broken: Failure = { kind: 'unreachable', message: message('broken'), retrySafe: true };
    connection.end(failed(broken));
    await settled();
    for (const { end } of [a, b]) assert.deepEqual(end(), { kind: 'disconnected', reason: 'broken' });
    // they come again by themselves
    assert.equal(connections.length, 2);
  });

  it('are all told when the instance is not there', async () => {
    const gone: Failure = { kind: 'instanceNotFound', message: message('gone'), retrySafe: true };
    const answer = deferred<Outcome<RemoteShell>>();
    const { connections, start } = instance(() => answer.promise);
    const followers = [await start('a'), await start('b')];
    answer.resolve(failed(gone));
    await settled();
    for (const { end } of followers) {
      assert.deepEqual(end(), { kind: 'disconnected', reason: 'gone', gone: true });
    }
    assert.deepEqual(connections, []);
  });

  it('ask nothing of a CLI that is of no use, until it is again or nobody wants to know any more', async () => {
    const usable = deferred<void>();
    const { connections, start } = instance(undefined, async (signal) => {
      signal.addEventListener('abort', () => usable.resolve());
      await usable.promise;
    });
    const job = await start('a');
    assert.equal(connections.length, 0);
    usable.resolve();
    await settled();
    assert.equal(connections.length, 1);
    job.abort.abort();
    const away = instance(
      undefined,
      (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve());
        }),
    );
    const left = await away.start('b');
    left.abort.abort();
    await settled();
    await away.start('c');
    assert.deepEqual(left.end(), { kind: 'cancelled' });
    assert.equal(away.connections.length, 0);
  });

  it('do not suffer from one whose copy cannot be written here', async () => {
    const its = instance();
    const full = await its.start('full', 0, () => {
      throw new Error('ENOSPC');
    });
    const other = await its.start('other');
    await its.clock.advance(1_000);
    await settled();
    const connection = its.connections.at(-1);
    connection?.say(log(0, 0, 'x') + log(1, 0, 'y'));
    await settled();
    assert.match(String(full.error()), /ENOSPC/);
    assert.deepEqual(other.heard, ['log 0 y']);
    assert.equal(connection?.aborted(), false);
  });

  it('are left one by one; the last one takes the connection along', async () => {
    const { a, b, connection } = await two();
    a.abort.abort();
    await settled();
    assert.deepEqual(a.end(), { kind: 'cancelled' });
    assert.equal(connection.aborted(), false);
    connection.say(log(0, 0, 'x') + log(1, 5, 'y'));
    assert.deepEqual(a.heard, []);
    assert.deepEqual(b.heard, ['log 5 y']);
    b.abort.abort();
    await settled();
    assert.ok(connection.aborted());
  });
});
