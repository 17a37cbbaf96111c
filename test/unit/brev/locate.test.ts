import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { locateCli } from '../../../src/brev/locate.ts';
import { temporaryFolder } from '../process/temporaryFolder.ts';
import { refusal } from './outcomes.ts';

function program(folder: string, mode = 0o755): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'brev');
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, mode);
  return file;
}

describe('locateCli', () => {
  it('finds the first one on PATH, past folders, files that cannot be run and relative folders', async (t) => {
    const home = temporaryFolder(t);
    const wanted = program(path.join(home, 'third'));
    program(path.join(home, 'fourth'));
    program(path.join(home, 'first'), 0o644);
    mkdirSync(path.join(home, 'second', 'brev'), { recursive: true });
    const PATH = [
      '.',
      'relative',
      '',
      ...['first', 'missing', 'second', 'third', 'fourth'].map((name) => path.join(home, name)),
    ];
    assert.deepEqual(await locateCli({ configured: '', environment: { HOME: home, PATH: PATH.join(':') } }), {
      kind: 'ok',
      value: wanted,
    });
  });

  it('looks where a VS Code that was started from the dock does not', async (t) => {
    const home = temporaryFolder(t);
    const wanted = program(path.join(home, '.local/bin'));
    assert.deepEqual(await locateCli({ configured: '', environment: { HOME: home } }), {
      kind: 'ok',
      value: wanted,
    });
  });

  it('says that it is missing', async (t) => {
    const home = temporaryFolder(t);
    const outcome = await locateCli({ configured: '', environment: { HOME: home, PATH: home } });
    assert.equal(refusal(outcome), 'cliMissing');
  });

  it('takes the path of the setting, with ~ and through a link', async (t) => {
    const home = temporaryFolder(t);
    const file = program(path.join(home, 'tools'));
    symlinkSync(file, path.join(home, 'link'));
    const environment = { HOME: home, PATH: '' };
    for (const configured of [file, '~/tools/brev']) {
      assert.deepEqual(await locateCli({ configured, environment }), { kind: 'ok', value: file });
    }
    assert.equal((await locateCli({ configured: '~/link', environment })).kind, 'ok');
  });

  it('never replaces a path of the setting that does not work by another', async (t) => {
    const home = temporaryFolder(t);
    const environment = { HOME: home, PATH: path.dirname(program(path.join(home, 'good'))) };
    program(path.join(home, 'plain'), 0o644);
    process.chdir(home);
    t.after(() => process.chdir('/'));
    for (const configured of [
      '/nonexistent/brev',
      '~/plain/brev',
      home,
      '~',
      ' ',
      'brev',
      './good/brev',
      'good/brev',
    ]) {
      const outcome = await locateCli({ configured, environment });
      assert.ok(outcome.kind === 'failed', configured);
      assert.equal(outcome.failure.action, 'chooseCliPath');
      assert.ok(outcome.failure.message.args.length > 0);
    }
  });
});
