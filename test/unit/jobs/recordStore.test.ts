import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import * as z from 'zod/mini';
import { type JobRecord, jobRecord } from '../../../src/jobs/record.ts';
import { type NewRecord, RecordStore } from '../../../src/jobs/recordStore.ts';
import { systemClock } from '../../../src/process/clock.ts';
import { Redactor } from '../../../src/process/redact.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../process/temporaryFolder.ts';

const ID = 'segformer-train-0a1b2c';
const JOB: NewRecord = {
  id: ID,
  platform: 'brev',
  image: 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt',
  network: 'segformer',
  action: 'train',
  resultsDir: `gpu1:~/.brev-jobs/${ID}/results`,
};
/** All keys that the schema allows (tao.md part 2); it takes no other. */
const KEYS = new Set([
  ...[
    'schema_version',
    'id',
    'platform',
    'backend_ref',
    'image',
    'network_arch',
    'action',
    'results_dir',
    'storage_tier',
  ],
  ...[
    'submitted_at',
    'transitions',
    'terminal_state',
    'redacted',
    'upload_excludes',
    'terminal_write_by',
    'err_class',
  ],
  ...['retry_of', 'parent_job'],
]);

function recordStore(t: TestContext, clock: FakeClock | typeof systemClock = systemClock) {
  const folder = path.join(temporaryFolder(t), 'jobs');
  const redactor = new Redactor();
  const store = new RecordStore(folder, clock, redactor);
  const file = path.join(folder, `${ID}.json`);
  const onDisk = (): JobRecord => z.parse(jobRecord, JSON.parse(readFileSync(file, 'utf8')));
  return { file, folder, onDisk, redactor, store };
}

const states = (record: JobRecord | undefined) => record?.transitions.map(({ state }) => state);

describe('opening a record', () => {
  it('writes what the skill bank reads, and no key more', async (t) => {
    const clock = new FakeClock();
    const { file, folder, onDisk, store } = recordStore(t, clock);
    const record = await store.open({ ...JOB, retryOf: 'segformer-train-ffffff' });
    assert.deepEqual(onDisk(), record);
    const written: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual(
      Object.keys(written).filter((key) => !KEYS.has(key)),
      [],
    );
    assert.equal(record.submitted_at, '2026-12-01T09:00:00.000Z');
    assert.deepEqual(record.transitions, [
      {
        ts: '2026-12-01T09:00:00.000Z',
        state: 'PENDING',
        message: 'record opened before launch',
        source: 'poller',
      },
    ]);
    assert.equal(record.retry_of, 'segformer-train-ffffff');
    assert.equal(statSync(file).mode & 0o777, 0o644 & ~process.umask());
    assert.deepEqual(readdirSync(folder), [`${ID}.json`]);
  });

  it('never writes over one that is there, not even a broken one', async (t) => {
    const { file, folder, store } = recordStore(t);
    for (const there of ['{"half":', 'mine', '']) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, there);
      await assert.rejects(store.open(JOB), /EEXIST/);
      assert.equal(readFileSync(file, 'utf8'), there);
      assert.deepEqual(readdirSync(folder), [`${ID}.json`]);
    }
  });

  it('is done by one of many who want the same id', async (t) => {
    const { store } = recordStore(t);
    const opened = await Promise.allSettled(Array.from({ length: 10 }, () => store.open(JOB)));
    assert.equal(opened.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('fails plainly where nothing can be written', async (t) => {
    const folder = path.join(temporaryFolder(t), 'file');
    writeFileSync(folder, '');
    await assert.rejects(new RecordStore(folder, systemClock, new Redactor()).open(JOB));
  });
});

describe('marking a record', () => {
  it('adds what happened, and never changes what stands there', async (t) => {
    const clock = new FakeClock();
    const { onDisk, store } = recordStore(t, clock);
    const opened = await store.open(JOB);
    await clock.advance(1_000);
    await store.mark(ID, { state: 'PENDING', message: 'launched', backendRef: `gpu1/${ID}` });
    await store.mark(ID, { state: 'RUNNING', message: 'run' });
    await store.mark(ID, { state: 'COMPLETE', message: 'exit code 0' });
    const record = onDisk();
    assert.deepEqual(states(record), ['PENDING', 'PENDING', 'RUNNING', 'COMPLETE']);
    assert.deepEqual(record.transitions[0], opened.transitions[0]);
    assert.equal(record.transitions[1]?.ts, '2026-12-01T09:00:01.000Z');
    assert.equal(record.backend_ref, `gpu1/${ID}`);
    assert.equal(record.terminal_state, 'COMPLETE');
    assert.equal(record.terminal_write_by, 'poller');
    assert.deepEqual(
      Object.keys(record).filter((key) => !KEYS.has(key)),
      [],
    );
  });

  it('leaves a terminal state as it is', async (t) => {
    for (const terminal of ['COMPLETE', 'ERROR', 'CANCELED'] as const) {
      const { onDisk, store } = recordStore(t);
      await store.open(JOB);
      await store.mark(ID, { state: terminal, message: 'the end' });
      const before = onDisk();
      for (const state of ['RUNNING', 'COMPLETE', 'ERROR', 'CANCELED', 'UNKNOWN', 'PENDING'] as const) {
        assert.equal((await store.mark(ID, { state, message: 'later' }))?.terminal_state, terminal);
      }
      assert.deepEqual(onDisk(), before);
    }
  });

  it('does not take UNKNOWN for an end', async (t) => {
    const { onDisk, store } = recordStore(t);
    await store.open(JOB);
    await store.mark(ID, { state: 'UNKNOWN', message: 'lost' });
    assert.equal(onDisk().terminal_state, null);
    await store.mark(ID, { state: 'COMPLETE', message: 'exit code 0' });
    assert.equal(onDisk().terminal_state, 'COMPLETE');
  });

  it('writes the same words once', async (t) => {
    const { onDisk, store } = recordStore(t);
    await store.open(JOB);
    for (let count = 0; count < 3; count++) {
      await store.mark(ID, { state: 'PENDING', message: 'pull' });
    }
    await store.mark(ID, { state: 'RUNNING', message: 'pull' });
    assert.deepEqual(states(onDisk()), ['PENDING', 'PENDING', 'RUNNING']);
  });

  it('says whose fault an error was', async (t) => {
    const { onDisk, store } = recordStore(t);
    await store.open(JOB);
    await store.mark(ID, { state: 'ERROR', message: 'exit code 1', errorClass: 'ERR_PROGRAM' });
    assert.equal(onDisk().err_class, 'ERR_PROGRAM');
  });

  it('keeps what another writer put in', async (t) => {
    const { file, onDisk, store } = recordStore(t);
    const record = await store.open(JOB);
    const theirs = {
      ...record,
      parent_job: 'plan-1',
      upload_excludes: ['*.tmp'],
      transitions: [
        ...record.transitions,
        { ts: 'x', state: 'RUNNING', message: 'by an agent', source: 'agent' },
      ],
    };
    writeFileSync(file, JSON.stringify(theirs));
    await store.mark(ID, { state: 'COMPLETE', message: 'exit code 0' });
    assert.equal(onDisk().parent_job, 'plan-1');
    assert.deepEqual(onDisk().upload_excludes, ['*.tmp']);
    assert.deepEqual(states(onDisk()), ['PENDING', 'RUNNING', 'COMPLETE']);
  });

  it('leaves what is no record alone', async (t) => {
    const { file, folder, store } = recordStore(t);
    mkdirSync(folder, { recursive: true });
    for (const there of ['{"half":', '[]', '', '{"schema_version":2}']) {
      writeFileSync(file, there);
      assert.equal(await store.mark(ID, { state: 'RUNNING', message: 'run' }), undefined);
      assert.equal(readFileSync(file, 'utf8'), there);
    }
    assert.equal(await store.mark('no-such-job', { state: 'RUNNING', message: 'run' }), undefined);
    assert.deepEqual(readdirSync(folder), [`${ID}.json`]);
  });

  it('writes no secret', async (t) => {
    const { file, redactor, store } = recordStore(t);
    redactor.addSecret('hunter22-known');
    await store.open({ ...JOB, image: 'https://user:password1@registry/x:1' });
    await store.mark(ID, { state: 'ERROR', message: 'NGC_KEY=nvapi-0123456789abcdef and hunter22-known' });
    assert.doesNotMatch(readFileSync(file, 'utf8'), /nvapi-0|hunter22|password1/);
  });
});

describe('several writers', () => {
  it('lose nothing of each other, in one process or in two', async (t) => {
    const { folder, onDisk, store } = recordStore(t);
    await store.open(JOB);
    const source = (file: string) => JSON.stringify(path.resolve(import.meta.dirname, '../../../src', file));
    const code = `import { RecordStore } from ${source('jobs/recordStore.ts')};
      import { systemClock } from ${source('process/clock.ts')};
      import { Redactor } from ${source('process/redact.ts')};
      const store = new RecordStore(process.argv[1], systemClock, new Redactor());
      for (let count = 0; count < 15; count++) await store.mark(${JSON.stringify(ID)}, { state: 'RUNNING', message: 'other ' + count });`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', code, folder], { stdio: 'inherit' });
    const second = new RecordStore(folder, systemClock, new Redactor());
    const exit = once(other, 'exit');
    await Promise.all(
      Array.from({ length: 15 }, (_, index) =>
        (index % 2 === 0 ? store : second).mark(ID, { state: 'RUNNING', message: `mine ${index}` }),
      ),
    );
    assert.deepEqual(await exit, [0, null]);
    const messages = onDisk().transitions.map(({ message }) => message);
    assert.equal(new Set(messages).size, 31);
    assert.deepEqual(readdirSync(folder), [`${ID}.json`]);
  });

  it('never show half a record to a reader', async (t) => {
    const { store } = recordStore(t);
    await store.open(JOB);
    let writing = true;
    const writes = (async () => {
      for (let count = 0; count < 40; count++) {
        await store.mark(ID, { state: 'RUNNING', message: `step ${count}` });
      }
      writing = false;
    })();
    let reads = 0;
    while (writing) {
      assert.notEqual(await store.read(ID), undefined);
      reads++;
    }
    await writes;
    assert.ok(reads > 0);
  });

  it('do not wait for one that died in the middle', async (t) => {
    const { folder, onDisk, store } = recordStore(t);
    await store.open(JOB);
    const { pid } = spawnSync('true');
    writeFileSync(path.join(folder, `.${ID}.lock`), String(pid));
    await Promise.all(['a', 'b', 'c'].map((message) => store.mark(ID, { state: 'RUNNING', message })));
    assert.equal(onDisk().transitions.length, 4);
    assert.deepEqual(readdirSync(folder), [`${ID}.json`]);
  });
});

describe('reading records', () => {
  it('finds those that are, and leaves out what is none', async (t) => {
    const { folder, store } = recordStore(t);
    assert.deepEqual(await store.list(), []);
    await store.open(JOB);
    await store.open({ ...JOB, id: 'other-train-1' });
    writeFileSync(path.join(folder, 'broken.json'), '{');
    writeFileSync(path.join(folder, '.hidden.json'), '{}');
    writeFileSync(path.join(folder, 'notes.txt'), 'x');
    mkdirSync(path.join(folder, 'folder.json'));
    assert.deepEqual(
      (await store.list()).map(({ id }) => id).sort((a, b) => a.localeCompare(b)),
      ['other-train-1', ID],
    );
    assert.equal((await store.read(ID))?.id, ID);
  });

  it('reads no file outside its folder', async (t) => {
    const { file, folder, store } = recordStore(t);
    await store.open(JOB);
    writeFileSync(path.join(folder, '..', 'outside.json'), readFileSync(file));
    for (const id of ['../outside', '/etc/passwd', '..', '']) {
      assert.equal(await store.read(id), undefined);
    }
  });
});
