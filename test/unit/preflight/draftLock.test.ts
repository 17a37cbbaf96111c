import assert from 'node:assert/strict';
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';
import { DraftLock } from '../../../src/preflight/draftLock.ts';
import type { Clock } from '../../../src/process/clock.ts';
import { put, temporaryHome } from './support/temporary-home.ts';

/** Time that passes only by waiting, so that a wait of many seconds takes none. */
class WaitingClock implements Clock {
  #now = Date.UTC(2026, 11, 1);
  waits = 0;

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    this.waits++;
    this.#now += ms;
    const soon = setImmediate(callback);
    return () => clearImmediate(soon);
  }
}

async function take(file: string, clock: Clock): Promise<DraftLock> {
  const lock = await DraftLock.take(file, clock);
  assert.ok(lock);
  return lock;
}

it('lets one in, and the next when that one is done', async (t) => {
  const file = path.join(await temporaryHome(t), 'f');
  const clock = new WaitingClock();
  const first = await take(file, clock);
  let entered = false;
  const second = take(file, clock).then((lock) => {
    entered = true;
    return lock;
  });
  while (clock.waits < 3) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(entered, false);
  assert.equal(await first.commit('one'), true);
  assert.equal(await (await second).commit('two'), true);
  assert.equal(await readFile(file, 'utf8'), 'two');
  assert.deepEqual(await readdir(path.dirname(file)), ['f']);
});

it('is as old as the time of taking it, not of asking for it', async (t) => {
  const file = path.join(await temporaryHome(t), 'f');
  const clock = new WaitingClock();
  const first = await take(file, clock);
  const second = take(file, clock);
  while (clock.waits < 3) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  await first.release();
  await second;
  assert.equal((await stat(`${file}.lock`)).mtimeMs, clock.now());
});

it('leaves nothing behind when it is released unused', async (t) => {
  const home = await temporaryHome(t);
  const lock = await take(path.join(home, 'f'), new WaitingClock());
  await lock.release();
  assert.deepEqual(await readdir(home), []);
});

it('keeps the draft from others while it is written', async (t) => {
  const home = await temporaryHome(t);
  const file = path.join(home, 'f');
  const lock = await take(file, new WaitingClock());
  assert.equal((await stat(`${file}.lock`)).mode & 0o777, 0o700);
  const [draft = ''] = await readdir(`${file}.lock`);
  assert.equal((await stat(path.join(`${file}.lock`, draft))).mode & 0o777, 0o600);
  await lock.release();
});

it('takes an old lock at once', async (t) => {
  const file = path.join(await temporaryHome(t), 'f');
  const clock = new WaitingClock();
  await take(file, clock);
  const old = clock.now() / 1_000 - 60;
  await utimes(`${file}.lock`, old, old);
  const next = await take(file, clock);
  assert.equal(clock.waits, 0);
  assert.equal(await next.commit('x'), true);
});

it('takes a lock of any age that stays the same for long, as where clocks differ', async (t) => {
  const file = path.join(await temporaryHome(t), 'f');
  const clock = new WaitingClock();
  await take(file, clock);
  const future = clock.now() / 1_000 + 86_400;
  await utimes(`${file}.lock`, future, future);
  const before = clock.now();
  const next = await take(file, clock);
  assert.ok(clock.now() - before > 10_000);
  assert.equal(await next.commit('x'), true);
});

it('keeps a holder that was taken for dead from overwriting what came after it', async (t) => {
  const file = await put(path.join(await temporaryHome(t), 'f'), 'zero');
  const clock = new WaitingClock();
  const slow = await take(file, clock);
  const old = clock.now() / 1_000 - 60;
  await utimes(`${file}.lock`, old, old);
  const quick = await take(file, clock);
  assert.equal(await slow.commit('from the slow one'), false, 'while the other holds it');
  await slow.release();
  assert.equal(await quick.commit('from the quick one'), true, 'and its release freed nothing');
  assert.equal(await slow.commit('from the slow one'), false, 'and after that');
  assert.equal(await readFile(file, 'utf8'), 'from the quick one');
});

it('notices that its folder was taken away', async (t) => {
  const file = await put(path.join(await temporaryHome(t), 'f'), 'zero');
  const lock = await take(file, new WaitingClock());
  await rename(`${file}.lock`, `${file}.aside`);
  assert.equal(await lock.commit('x'), false);
  assert.equal(await readFile(file, 'utf8'), 'zero');
  await rm(`${file}.aside`, { recursive: true });
});

it('takes an empty lock folder for a free one', async (t) => {
  const file = path.join(await temporaryHome(t), 'f');
  const clock = new WaitingClock();
  await put(path.join(`${file}.lock`, 'x'), '');
  await rm(path.join(`${file}.lock`, 'x'));
  assert.equal(await (await take(file, clock)).commit('x'), true);
  assert.equal(clock.waits, 0);
});

it('gives up when others hold it all the time', async (t) => {
  const home = await temporaryHome(t);
  const file = path.join(home, 'f');
  // each look finds another holder: the time of change is never the same
  const clock = new WaitingClock();
  await take(file, clock);
  const busy: Clock = {
    now: () => clock.now(),
    after: (ms, callback) => {
      const seconds = clock.now() / 1_000;
      void utimes(`${file}.lock`, seconds, seconds).then(() => clock.after(ms * 50, callback));
      return () => undefined;
    },
  };
  assert.equal(await DraftLock.take(file, busy), undefined);
  assert.deepEqual(await readdir(home), ['f.lock']);
});
