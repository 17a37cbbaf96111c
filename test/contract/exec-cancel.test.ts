import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anyBrev, simOnly } from './support/brev.ts';
import { eventually } from './support/eventually.ts';

/** Says that it began, then waits for the file `go`, then leaves `done`. */
const PATIENT = 'echo begun; until [ -e go ]; do sleep 0.02; done; touch done';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
  simOnly(
    `${signal} ends brev at once; its remote command runs to the end`,
    {},
    async ({ sim, run, start }) => {
      const { home } = await sim.addInstance({ name: 'gpu1' });
      await run(['refresh']);
      const exec = start(['exec', 'gpu1', PATIENT]);
      let closed = false;
      const ended = exec.ended.then((end) => {
        closed = true;
        return end;
      });
      await exec.until('stdout', /begun/);
      exec.child.kill(signal);
      await exec.exited;
      assert.equal(exec.child.signalCode, signal);
      assert.ok((await sim.remoteProcesses('gpu1')).length > 0, 'the remote lives');
      assert.ok(!closed, 'and holds the pipes');
      await writeFile(join(home, 'go'), '');
      const end = await ended;
      assert.equal(end.stdout, 'begun\n', 'no name');
      assert.ok(existsSync(join(home, 'done')));
      // its pipes are closed a moment before it is gone
      await eventually(async () => (await sim.remoteProcesses('gpu1')).length === 0);
    },
  );
}

simOnly('a kill of the whole group spares a silent remote command', {}, async ({ sim, run, start }) => {
  const { home } = await sim.addInstance({ name: 'gpu1' });
  await run(['refresh']);
  const exec = start(['exec', 'gpu1', PATIENT], { group: true });
  await exec.until('stdout', /begun/);
  process.kill(-exec.pid, 'SIGKILL');
  await exec.exited;
  assert.ok((await sim.remoteProcesses('gpu1')).length > 0);
  await writeFile(join(home, 'go'), '');
  await exec.ended;
  assert.ok(existsSync(join(home, 'done')));
});

simOnly(
  'a kill of the whole group stops a remote that writes, at its next write',
  {},
  async ({ sim, run, start }) => {
    await sim.addInstance({ name: 'gpu1' });
    await run(['refresh']);
    const exec = start(['exec', 'gpu1', 'while echo tick; do sleep 0.02; done'], { group: true });
    await exec.until('stdout', /tick/);
    process.kill(-exec.pid, 'SIGKILL');
    await exec.exited;
    await eventually(async () => (await sim.remoteProcesses('gpu1')).length === 0);
  },
);

simOnly('a background process that keeps stdout keeps exec', {}, async ({ sim, run, start }) => {
  const { home } = await sim.addInstance({ name: 'gpu1' });
  await run(['refresh']);
  const exec = start(['exec', 'gpu1', `(${PATIENT}) & echo front`]);
  await exec.until('stdout', /front/);
  await exec.until('stdout', /begun/);
  assert.equal(exec.child.exitCode, null);
  await writeFile(join(home, 'go'), '');
  const { code, stdout } = await exec.ended;
  assert.equal(code, 0);
  assert.match(stdout, /gpu1\n$/);
});

simOnly('a detached process outlives exec, and ends with a stop', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'gpu1' });
  await run(['refresh']);
  const { code } = await run(['exec', 'gpu1', 'setsid sleep 1000 </dev/null >/dev/null 2>&1 & echo started']);
  assert.equal(code, 0);
  assert.equal((await sim.remoteProcesses('gpu1')).length, 1);
  await run(['stop', 'gpu1']);
  assert.deepEqual(await sim.remoteProcesses('gpu1'), []);
});

anyBrev(
  'output streams: the first line arrives while the command runs',
  async ({ start, run, running }) => {
    const mark = `/tmp/brev-contract-stream-${process.pid}`;
    const exec = start([
      'exec',
      running,
      `echo first; until [ -e ${mark} ]; do sleep 0.05; done; rm ${mark}; echo last`,
    ]);
    await exec.until('stdout', /first\n/);
    assert.ok(!exec.stdout().includes('last'));
    await run(['exec', running, `touch ${mark}`]);
    assert.equal((await exec.ended).stdout, `first\nlast\n${running}\n`);
  },
  'running',
);
