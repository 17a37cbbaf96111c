import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { withLock } from '../../brev-sim/cloud/lock.ts';

const run = promisify(execFile);
const root = await mkdtemp(join(tmpdir(), 'brev-sim-lock-'));
after(() => rm(root, { recursive: true }));
const lockModule = new URL('../../brev-sim/cloud/lock.ts', import.meta.url).href;

test('of several processes that count in one file, no step is lost', async () => {
  const file = join(root, 'count');
  await writeFile(file, '0');
  const program = `
    import { readFileSync, writeFileSync } from 'node:fs';
    const { withLock } = await import(${JSON.stringify(lockModule)});
    const file = ${JSON.stringify(file)};
    for (let step = 0; step < 40; step++) {
      withLock(${JSON.stringify(root)}, () => writeFileSync(file, String(Number(readFileSync(file, 'utf8')) + 1)));
    }`;
  await Promise.all(
    Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '-e', program])),
  );
  assert.equal(await readFile(file, 'utf8'), '160');
  assert.deepEqual(
    (await readdir(root)).filter((name) => name.startsWith('lock')),
    [],
  );
});

test('a lock whose owner is dead is broken', async () => {
  await writeFile(join(root, 'lock'), String(await deadPid()));
  assert.equal(
    withLock(root, () => 'done'),
    'done',
  );
});

test('so is one whose breaker died while breaking it', async () => {
  await writeFile(join(root, 'lock'), String(await deadPid()));
  await mkdir(join(root, 'lock.breaker'));
  await utimes(join(root, 'lock.breaker'), 0, 0);
  assert.equal(
    withLock(root, () => 'done'),
    'done',
  );
});

test('work that throws gives the lock back', () => {
  assert.throws(() => withLock(root, () => assert.fail('no')), /no/);
  assert.equal(
    withLock(root, () => 'done'),
    'done',
  );
});

async function deadPid(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid ?? 0;
}
