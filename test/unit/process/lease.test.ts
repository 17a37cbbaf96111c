import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { takeLease } from '../../../src/process/lease.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const leaseFile = (t: TestContext): string => path.join(temporaryFolder(t), 'lease');

/** The number of a process that is no more. */
function deadPid(): number {
  return spawnSync('/bin/true').pid;
}

async function takers(file: string, count: number): Promise<number> {
  const leases = await Promise.all(Array.from({ length: count }, () => takeLease(file)));
  return leases.filter((lease) => lease !== undefined).length;
}

describe('takeLease', () => {
  it('gives it to one of many, and leaves only the lease', async (t) => {
    const file = leaseFile(t);
    assert.equal(await takers(file, 30), 1);
    assert.deepEqual(readdirSync(path.dirname(file)), ['lease']);
    assert.equal(await takeLease(file), undefined);
  });

  it('can be taken again once released', async (t) => {
    const file = leaseFile(t);
    const first = await takeLease(file);
    await first?.release();
    assert.deepEqual(readdirSync(path.dirname(file)), []);
    assert.notEqual(await takeLease(file), undefined);
  });

  it('is kept by another living process, and free when that one dies', async (t) => {
    const file = leaseFile(t);
    const source = path.resolve(import.meta.dirname, '../../../src/process/lease.ts');
    const code = `import { takeLease } from ${JSON.stringify(source)};
      console.log((await takeLease(process.argv[1])) === undefined ? 'refused' : 'taken');
      setInterval(() => undefined, 1000);`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', code, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => other.kill('SIGKILL'));
    const [said] = await once(other.stdout, 'data');
    assert.equal(String(said), 'taken\n');
    assert.equal(await takeLease(file), undefined);
    other.kill('SIGKILL');
    await once(other, 'exit');
    assert.equal(await takers(file, 30), 1);
  });

  it('is taken over by one of many from a dead process', async (t) => {
    for (let round = 0; round < 10; round++) {
      const file = leaseFile(t);
      writeFileSync(file, `${deadPid()} 12345`);
      assert.equal(await takers(file, 20), 1);
      assert.deepEqual(readdirSync(path.dirname(file)), ['lease']);
    }
  });

  it('is free when its number now belongs to another process, even to this one', async (t) => {
    for (const pid of [process.ppid, process.pid]) {
      const file = leaseFile(t);
      writeFileSync(file, `${pid} 1`);
      assert.notEqual(await takeLease(file), undefined);
    }
  });

  it('counts a living process without a start time', async (t) => {
    const file = leaseFile(t);
    writeFileSync(file, String(process.ppid));
    assert.equal(await takeLease(file), undefined);
  });

  it('is free when a crash left it empty or garbled', async (t) => {
    for (const content of ['', '\0\0\0', 'not a number', '-1', '0', '1.5']) {
      const file = leaseFile(t);
      writeFileSync(file, content);
      assert.notEqual(await takeLease(file), undefined, JSON.stringify(content));
    }
  });

  it('waits for a takeover under way, but not for one that died in the middle', async (t) => {
    const file = leaseFile(t);
    writeFileSync(file, String(deadPid()));
    mkdirSync(`${file}.guard`);
    assert.equal(await takeLease(file), undefined);
    assert.equal(await takeLease(file), undefined);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(`${file}.guard`, longAgo, longAgo);
    assert.equal(await takeLease(file), undefined);
    assert.notEqual(await takeLease(file), undefined);
  });

  it('says whose it is from the first moment', async (t) => {
    const file = leaseFile(t);
    await takeLease(file);
    assert.match(readFileSync(file, 'utf8'), new RegExp(`^${process.pid}\\b`));
  });

  it('fails plainly where it cannot be written', async (t) => {
    await assert.rejects(takeLease(path.join(temporaryFolder(t), 'no-such-folder', 'lease')), /ENOENT/);
  });
});
