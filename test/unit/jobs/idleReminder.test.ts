import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Instance, toInstance } from '../../../src/instances/instance.ts';
import type { InstancesChange, Listing } from '../../../src/instances/store.ts';
import { idlePeriods } from '../../../src/jobs/idlePeriods.ts';
import { type IdleInstance, IdleReminder } from '../../../src/jobs/idleReminder.ts';
import type { Job } from '../../../src/jobs/job.ts';
import { Emitter } from '../../../src/values/emitter.ts';
import { message } from '../../../src/values/message.ts';
import { failed, ok } from '../../../src/values/outcome.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { row } from '../brev/recordedCli.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OFFLINE = { kind: 'offline', message: message('offline'), retrySafe: true } as const;

const gpu1 = (status = 'RUNNING'): Instance => toInstance(row('gpu1', { status }));

function job(fields: Partial<Job> & { readonly id?: string; readonly platform?: string } = {}): Job {
  const { id = 'train-1', platform = 'brev', ...rest } = fields;
  return {
    details: {
      id,
      platform,
      instanceId: fields.foreign === true ? '' : 'id-gpu1',
      instanceName: 'gpu1',
      specUri: '',
      network: 'segformer',
      action: 'train',
      image: '',
      gpus: 'all',
      submittedAt: 0,
    },
    state: 'COMPLETE',
    note: '',
    trouble: undefined,
    foreign: false,
    changedAt: 0,
    ...rest,
  };
}

/** What all windows share: the computer, its records, and the cloud. */
class Computer {
  readonly clock = new FakeClock();
  /** Where a terminal is open, in whatever window. */
  readonly terminals = new Set<string>();
  readonly marks = new Set<string>();
  readonly told: IdleInstance[] = [];
  jobs: Job[] = [];
  cloud: Instance[] = [gpu1()];
  online = true;
  idleMinutes = 20;
  seenOn = new Map<string, number>();
  lists = 0;
  readonly #turns = new Set<string>();
  readonly #t: TestContext;

  constructor(t: TestContext) {
    this.#t = t;
  }

  openWindow() {
    const changes = new Emitter<Job>();
    const listings = new Emitter<InstancesChange>();
    let instances: readonly Instance[] = [];
    const listing: Listing = { kind: 'unknown' };
    const store = {
      listing,
      needsUser: false,
      onChange: listings.listen,
      find: (id: string) => instances.find((instance) => instance.id === id),
      refresh: async () => {
        this.lists++;
        if (!this.online) {
          return failed<readonly Instance[]>(OFFLINE);
        }
        const added = this.cloud.filter(({ id }) => !instances.some((known) => known.id === id));
        instances = this.cloud;
        listings.emit({ added, changed: [], removed: [], listing: false });
        return ok(instances);
      },
    };
    const inUse = {
      anywhere: async (id: string) => this.terminals.has(id),
      turn: async (id: string) => {
        const free = !this.#turns.has(id);
        this.#turns.add(id);
        return free ? { release: async () => void this.#turns.delete(id) } : undefined;
      },
    };
    const reminder = new IdleReminder({
      jobs: {
        all: this.jobs,
        onChange: changes.listen,
        readForeign: async () => undefined,
      },
      marks: {
        has: (id, mark) => this.marks.has(`${id} ${mark}`),
        set: (id, mark) => !this.marks.has(`${id} ${mark}`) && this.marks.add(`${id} ${mark}`) !== undefined,
      },
      store,
      seenOn: { since: (id) => this.seenOn.get(id) },
      inUse,
      idleMs: () => this.idleMinutes * MINUTE,
      clock: this.clock,
      log: (line) => assert.fail(line),
    });
    this.#t.after(() => reminder.dispose());
    reminder.onIdle((idle) => this.told.push(idle));
    return { changes, listings, reminder, store };
  }

  /** Changes the jobs for all windows at once, which read the same array. */
  set(...jobs: Job[]): void {
    this.jobs.splice(0, this.jobs.length, ...jobs);
  }

  pass(minutes: number): Promise<void> {
    return this.clock.advance(minutes * MINUTE);
  }
}

describe('an idle period', () => {
  it('begins with the end of the last job, however it ended', () => {
    for (const state of ['COMPLETE', 'ERROR', 'CANCELED'] as const) {
      const periods = idlePeriods([job({ id: 'a', changedAt: 10 }), job({ id: 'b', state, changedAt: 30 })]);
      assert.deepEqual(periods, [{ instanceId: 'id-gpu1', jobId: 'b', since: 30 }]);
    }
  });

  it('users G: colab-vscode#184 is none while a job runs, is to run, or has a state that nobody knows', () => {
    for (const state of ['PENDING', 'RUNNING', 'UNKNOWN'] as const) {
      assert.deepEqual(idlePeriods([job({ changedAt: 30 }), job({ id: 'b', state })]), []);
      assert.deepEqual(idlePeriods([job({ changedAt: 30 }), job({ id: 'b', state, foreign: true })]), []);
    }
  });

  it('is nobody’s on whose instance no job of ours ran, and none on Lepton', () => {
    assert.deepEqual(idlePeriods([job({ foreign: true }), job({ platform: 'lepton' })]), []);
  });

  it('counts what others ran there', () => {
    const [period] = idlePeriods([
      job({ id: 'a', changedAt: 10 }),
      job({ id: 'b', foreign: true, changedAt: 40 }),
    ]);
    assert.deepEqual(period, { instanceId: 'id-gpu1', jobId: 'a', since: 40 });
  });
});

describe('the reminder of an idle instance', () => {
  it('users E: clearml-session#37/dstack#2268 comes exactly once after the last end, by a fresh list', async (t) => {
    const computer = new Computer(t);
    const { changes } = computer.openWindow();
    await computer.pass(5);
    const end = computer.clock.now();
    computer.set(job({ changedAt: end }));
    changes.emit(job());
    await computer.pass(19);
    assert.deepEqual([computer.told.length, computer.lists], [0, 0]);
    await computer.pass(2);
    assert.deepEqual(computer.told, [{ instance: gpu1(), since: end }]);
    assert.equal(computer.lists, 1);
    await computer.pass(120);
    assert.equal(computer.told.length, 1);
    assert.equal(computer.lists, 1, 'nothing is asked again');
    assert.equal(computer.clock.waiting, 0);
  });

  it('comes again only after another job has ended', async (t) => {
    const computer = new Computer(t);
    const { changes } = computer.openWindow();
    const first = job({ id: 'a', changedAt: computer.clock.now() });
    computer.set(first);
    changes.emit(first);
    await computer.pass(22);
    assert.equal(computer.told.length, 1);
    computer.set(first, job({ id: 'b', state: 'RUNNING' }));
    changes.emit(first);
    await computer.pass(60);
    assert.equal(computer.told.length, 1);
    computer.set(first, job({ id: 'b', changedAt: computer.clock.now() }));
    changes.emit(first);
    await computer.pass(22);
    assert.equal(computer.told.length, 2);
  });

  it('survives a reload, and counts from the record', async (t) => {
    const computer = new Computer(t);
    const end = computer.clock.now();
    computer.set(job({ changedAt: end }));
    computer.openWindow().reminder.dispose();
    await computer.clock.jump(2 * HOUR);
    const { changes } = computer.openWindow();
    changes.emit(job());
    await computer.pass(3);
    assert.deepEqual(
      computer.told.map(({ since }) => since),
      [end],
    );
    const { changes: later } = computer.openWindow();
    later.emit(job());
    await computer.pass(60);
    assert.equal(computer.told.length, 1, 'one that was kept is not asked about again');
  });

  it('comes in one window of several', async (t) => {
    const computer = new Computer(t);
    computer.set(job({ changedAt: computer.clock.now() }));
    for (let window = 0; window < 3; window++) {
      computer.openWindow().changes.emit(job());
    }
    await computer.pass(60);
    assert.equal(computer.told.length, 1);
  });

  it('never speaks of an instance that is off, gone or just started', async (t) => {
    for (const cloud of [[gpu1('STOPPED')], [gpu1('DELETING')], [], [gpu1('STARTING')]]) {
      const computer = new Computer(t);
      computer.cloud = cloud;
      computer.set(job({ changedAt: computer.clock.now() }));
      computer.openWindow().changes.emit(job());
      await computer.pass(120);
      assert.deepEqual(computer.told, []);
    }
    const computer = new Computer(t);
    computer.set(job({ changedAt: computer.clock.now() - 24 * HOUR }));
    computer.seenOn.set('id-gpu1', computer.clock.now());
    computer.openWindow().changes.emit(job());
    await computer.pass(19);
    assert.deepEqual(computer.told, []);
    await computer.pass(3);
    assert.equal(computer.told.length, 1);
  });

  it('asks no more for an instance that is not listed, until it is', async (t) => {
    const computer = new Computer(t);
    computer.cloud = [];
    computer.set(job({ changedAt: computer.clock.now() }));
    const { changes, store } = computer.openWindow();
    changes.emit(job());
    await computer.pass(600);
    assert.equal(computer.lists, 1);
    computer.cloud = [gpu1()];
    await store.refresh();
    await computer.pass(2);
    assert.equal(computer.told.length, 1);
  });

  it('waits while a terminal is open in any window, and begins anew when it is closed', async (t) => {
    const computer = new Computer(t);
    computer.set(job({ changedAt: computer.clock.now() }));
    computer.terminals.add('id-gpu1');
    const { changes, reminder } = computer.openWindow();
    changes.emit(job());
    await computer.pass(65);
    assert.deepEqual([computer.told.length, computer.lists], [0, 0]);
    computer.terminals.delete('id-gpu1');
    reminder.used('id-gpu1');
    const closed = computer.clock.now();
    await computer.pass(19);
    assert.equal(computer.told.length, 0);
    await computer.pass(3);
    assert.deepEqual(
      computer.told.map(({ since }) => since),
      [closed],
    );
  });

  it('is silent while signed out, and comes when that is over', async (t) => {
    const computer = new Computer(t);
    computer.set(job({ changedAt: computer.clock.now() }));
    const { changes, listings, store } = computer.openWindow();
    store.needsUser = true;
    changes.emit(job());
    await computer.pass(60);
    assert.deepEqual([computer.told.length, computer.lists, computer.clock.waiting], [0, 0, 0]);
    store.needsUser = false;
    listings.emit({ added: [], changed: [], removed: [], listing: true });
    await computer.pass(1);
    assert.equal(computer.told.length, 1);
  });

  it('comes later when no list could be had, without a flood of them', async (t) => {
    const computer = new Computer(t);
    computer.online = false;
    computer.set(job({ changedAt: computer.clock.now() }));
    computer.openWindow().changes.emit(job());
    await computer.pass(60);
    assert.ok(computer.lists >= 2 && computer.lists <= 9, String(computer.lists));
    computer.online = true;
    await computer.pass(7);
    assert.equal(computer.told.length, 1);
  });

  it('never comes where it is switched off', async (t) => {
    const computer = new Computer(t);
    computer.idleMinutes = 0;
    computer.set(job({ changedAt: computer.clock.now() }));
    const { changes, reminder } = computer.openWindow();
    changes.emit(job());
    await computer.pass(600);
    assert.deepEqual([computer.told.length, computer.lists, computer.clock.waiting], [0, 0, 0]);
    computer.idleMinutes = 30;
    reminder.look();
    await computer.pass(2);
    assert.equal(computer.told.length, 1);
  });
});
