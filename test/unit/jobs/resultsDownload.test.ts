import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { SaveProgress } from '../../../src/jobs/results.ts';
import { type DownloadOptions, downloadResults } from '../../../src/jobs/resultsDownload.ts';
import { failureOf, value } from '../../support/outcomes.ts';
import { KeptResults, namesIn, unreachable } from './keptResults.ts';

const JOB = 'segformer-train-0a1b2c';

let root = '';
let kept: KeptResults;
const progress: SaveProgress[] = [];

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'brev-results-'));
  mkdirSync(path.join(root, 'remote'));
  mkdirSync(path.join(root, 'local'));
  kept = new KeptResults(path.join(root, 'remote'));
  progress.length = 0;
});
afterEach(() => rm(root, { recursive: true }));

const download = (more: Partial<DownloadOptions> = {}) =>
  downloadResults({
    jobId: JOB,
    list: kept.list,
    folder: path.join(root, 'local'),
    onProgress: (one) => progress.push(one),
    signal: new AbortController().signal,
    ...more,
  });
const local = (...names: string[]) => path.join(root, 'local', JOB, ...names);
/** All names below the job's folder, half-written files included. */
const names = () => namesIn(local()).sort((a, b) => a.localeCompare(b));

describe('a download of results', () => {
  it('is byte by byte what the job left, with its times', async () => {
    const model = randomBytes(100_000);
    kept.leave({
      'train/model.pth': model,
      'train/status.json': '{}',
      empty: '',
      '.tao/job': 'x',
      'a b\\c': '1',
    });
    utimesSync(path.join(kept.folder, 'train/model.pth'), 1_700_000_000, 1_700_000_000);
    const saved = value(await download());
    assert.deepEqual(
      { ...saved, listing: saved.listing.files.length },
      { jobId: JOB, where: local(), files: 5, bytes: 100_004, linksElsewhere: [], changed: [], listing: 5 },
    );
    assert.ok(readFileSync(local('train/model.pth')).equals(model));
    assert.equal(readFileSync(local('a b\\c'), 'utf8'), '1');
    assert.equal(statSync(local('train/model.pth')).mtimeMs, 1_700_000_000_000);
    assert.deepEqual(names(), [
      '.tao',
      '.tao/job',
      'a b\\c',
      'empty',
      'train',
      'train/model.pth',
      'train/status.json',
    ]);
  });

  it('tells its progress in bytes, up to all of them', async () => {
    kept.leave({ a: 'xxx', b: 'yyyyy' });
    value(await download());
    assert.deepEqual(progress[0], { step: 'listing', doneBytes: 0, totalBytes: 0 });
    const moved = progress.filter(({ step }) => step === 'transferring').map(({ doneBytes }) => doneBytes);
    assert.deepEqual([moved[0], moved.at(-1)], [0, 8]);
    assert.deepEqual(progress.at(-1), { step: 'verifying', doneBytes: 8, totalBytes: 8 });
  });

  it('keeps links that stay inside, and follows none that leads out', async () => {
    kept.leave({ 'train/model_epoch_001.pth': 'x' });
    kept.link('train/latest.pth', 'model_epoch_001.pth');
    kept.link('folder', 'train');
    kept.link('out', '/etc/passwd');
    const saved = value(await download());
    assert.deepEqual(saved.linksElsewhere, ['out']);
    assert.equal(readlinkSync(local('train/latest.pth')), 'model_epoch_001.pth');
    assert.equal(readFileSync(local('folder/latest.pth'), 'utf8'), 'x');
    assert.ok(!existsSync(local('out')));
    assert.equal(saved.files, 1);
  });

  it('makes no link on Windows', async () => {
    kept.leave({ model: 'x' });
    kept.link('latest', 'model');
    assert.equal(value(await download({ os: 'win32' })).files, 1);
    assert.deepEqual(names(), ['model']);
  });

  it('copies only what is not here already', async () => {
    kept.leave({ same: 'abc', other: 'new', longer: 'longer', missing: 'm' });
    mkdirSync(local(), { recursive: true });
    for (const [name, content] of Object.entries({ same: 'abc', other: 'old', longer: 'long', mine: 'kept' }))
      writeFileSync(local(name), content);
    assert.equal(value(await download()).files, 4);
    assert.deepEqual(new Set(kept.downloaded), new Set(['longer', 'missing', 'other']));
    // sums cost reading on the instance: only where the size is right
    assert.deepEqual(new Set(kept.compared), new Set(['other', 'same']));
    assert.deepEqual(
      names().map((name) => readFileSync(local(name), 'utf8')),
      ['longer', 'kept', 'm', 'new', 'abc'],
    );
  });

  it('goes on after one that broke off, which left nothing half-written', async () => {
    kept.leave(
      Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`file${index}`, `content ${index}`])),
    );
    kept.onDownload = (name, onBytes) => {
      if (name !== 'file5') return undefined;
      onBytes(Buffer.from('cont'));
      return unreachable;
    };
    assert.equal(failureOf(await download()).kind, 'unreachable');
    const before = names();
    assert.ok(
      before.length > 0 && before.every((name) => name.startsWith('file') && name !== 'file5'),
      before.join(),
    );
    kept.onDownload = () => undefined;
    kept.downloaded.length = 0;
    value(await download());
    assert.equal(kept.downloaded.length, 9 - before.length);
    assert.equal(names().length, 9);
  });

  it('ends with its signal', async () => {
    kept.leave(Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`file${index}`, 'x'])));
    const abort = new AbortController();
    kept.onDownload = () => {
      abort.abort();
      return undefined;
    };
    assert.equal((await download({ signal: abort.signal })).kind, 'cancelled');
    assert.deepEqual(names(), []);
    assert.equal((await download({ signal: AbortSignal.abort() })).kind, 'cancelled');
  });

  it('is none while something still writes', async () => {
    kept.leave({ log: 'one\n' });
    kept.onList = (count) => {
      if (count === 2) kept.leave({ late: 'x' });
    };
    assert.match(failureOf(await download()).sentence, /late changed while/);
    kept.onDownload = () => {
      appendFileSync(path.join(kept.folder, 'log'), 'two\n');
      return undefined;
    };
    assert.match(failureOf(await download()).sentence, /log changed while/);
  });

  it('of a job that still runs has what was there, and tells what changed', async () => {
    kept.leave({ log: 'one\n' });
    kept.onDownload = () => {
      appendFileSync(path.join(kept.folder, 'log'), 'two\n');
      return undefined;
    };
    const saved = value(await download({ mayChange: true }));
    assert.deepEqual(saved.changed, ['log']);
    assert.equal(readFileSync(local('log'), 'utf8'), 'one\ntwo\n');
  });

  it('is refused when it could only be a part', async () => {
    kept.leave({ fine: 'x' });
    kept.told = { unusable: [{ path: 'secret', reason: 'unreadable' }] };
    assert.match(failureOf(await download()).sentence, /secret cannot be read/);
    kept.told = { whole: false };
    assert.match(failureOf(await download()).sentence, /more than 1 files.*tar/);
    assert.ok(!existsSync(local()));
  });

  it('writes nothing outside of its folder, whatever the names', async () => {
    const told = (...paths: string[]) => ({
      files: paths.map((name) => ({ path: name, bytes: 1, modified: 0 })),
    });
    for (const name of ['../evil', '/evil', 'a/../../evil', 'a//evil', '.', 'a/.', '', 'nul\0']) {
      kept.told = told(name);
      assert.match(failureOf(await download()).sentence, /no possible name/, JSON.stringify(name));
    }
    for (const name of ['a:b', 'con', 'NUL.txt', 'dot.', 'a\\b', 'x/aux/y', 'q?', 'line\nend']) {
      kept.told = told(name);
      assert.match(
        failureOf(await download({ os: 'win32' })).sentence,
        /no possible name/,
        JSON.stringify(name),
      );
    }
    assert.deepEqual(readdirSync(path.join(root, 'local')), []);
    const odd = await download({ jobId: '..' });
    assert.match(failureOf(odd).sentence, /no possible name/);
  });

  it('is not led elsewhere by a link that lies in the folder', async () => {
    kept.leave({ 'train/model.pth': 'x' });
    mkdirSync(path.join(root, 'elsewhere'));
    mkdirSync(local(), { recursive: true });
    for (const target of [path.join(root, 'elsewhere'), 'inside']) {
      mkdirSync(local('inside'), { recursive: true });
      symlinkSync(target, local('train'));
      assert.match(failureOf(await download()).sentence, /train is a link/);
      assert.deepEqual(readdirSync(path.join(root, 'elsewhere')), []);
      assert.deepEqual(readdirSync(local('inside')), []);
      unlinkSync(local('train'));
    }
  });

  it('does not lay one file over another where names differ in case only', async () => {
    kept.leave({ Model: 'a', model: 'b' });
    for (const os of ['darwin', 'win32'] as const)
      assert.match(failureOf(await download({ os })).sentence, /odel and .odel are the same name/);
    assert.equal(value(await download({ os: 'linux' })).files, 2);
  });

  it('tells a local fault, and when there is no room', async () => {
    kept.leave({ 'train/model.pth': 'x' });
    mkdirSync(local(), { recursive: true });
    writeFileSync(local('train'), 'a file');
    assert.equal(failureOf(await download()).kind, 'localFile');
    kept.told = { files: [{ path: 'huge', bytes: 1e18, modified: 0 }] };
    assert.match(failureOf(await download()).sentence, /need 1000000 TB, and .* is free/);
    assert.deepEqual(names(), ['train']);
  });
});
