import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { InstanceGauge } from '../../../../src/instances/gauges.ts';
import followScript from '../../../../src/platforms/brev/follow.sh';
import framesScript from '../../../../src/platforms/brev/frames.sh';
import { FrameReader } from '../../../../src/platforms/brev/frames.ts';
import { readGauge } from '../../../../src/platforms/brev/gauge.ts';
import { eventually } from '../../../support/eventually.ts';
import { DockerMachine } from './dockerMachine.ts';

/** Follows jobs by the real script in a real bash; what came is kept by job. */
function follow(machine: DockerMachine, ...args: readonly string[]) {
  const logs = new Map<number, string>();
  const statuses = new Map<number, string>();
  const ends = new Map<number, ReadonlyMap<string, string>>();
  const gauges: InstanceGauge[] = [];
  let frames = 0;
  const reader = new FrameReader();
  const done = machine.shell.stream(
    { text: framesScript + followScript, args },
    (chunk) => {
      for (const frame of reader.push(chunk)) {
        frames++;
        if (frame.kind === 'bytes') {
          const into = frame.stream === 'log' ? logs : statuses;
          into.set(frame.job, (into.get(frame.job) ?? '') + Buffer.from(frame.bytes).toString());
        } else if (frame.kind === 'finish') {
          ends.set(frame.job, frame.result);
        } else if (frame.kind === 'gauge') {
          gauges.push(readGauge(frame.text));
        } else {
          assert.notEqual(frame.kind, 'corrupt');
        }
      }
    },
    new AbortController().signal,
  );
  return { logs, statuses, ends, gauges, frames: () => frames, done };
}

/** A job as its supervisor, this very process, would have made it. */
function runningJob(machine: DockerMachine, id: string): { folder: string; end: (exit: number) => void } {
  const folder = path.join(machine.home, '.brev-jobs', id);
  mkdirSync(path.join(folder, 'launched'), { recursive: true });
  mkdirSync(path.join(folder, 'results', 'train'), { recursive: true });
  writeFileSync(path.join(folder, 'step'), 'run\n');
  writeFileSync(path.join(folder, 'log'), '');
  return {
    folder,
    end: (exit) => writeFileSync(path.join(folder, 'result'), `step=run\nexit=${exit}\noom=false\nerror=\n`),
  };
}

describe('one follower for several jobs', () => {
  async function started(t: TestContext) {
    const machine = new DockerMachine(t);
    const [a, b] = [runningJob(machine, 'a'), runningJob(machine, 'b')];
    writeFileSync(path.join(a.folder, 'log'), 'known so far');
    return { a, b, machine };
  }

  it('sends each what is new of it, and ends with the last', async (t) => {
    const { a, b, machine } = await started(t);
    const { done, ends, logs, statuses } = follow(machine, 'a', '6', '0', 'b', '0', '0');
    appendFileSync(path.join(b.folder, 'log'), 'first of b\n');
    await eventually(() => logs.get(1) === 'first of b\n');
    a.end(3);
    await eventually(() => ends.get(0)?.get('exit') === '3');
    assert.equal(logs.get(0), 'so far');
    writeFileSync(path.join(b.folder, 'results/train/status.json'), '{"epoch": 1}\n');
    appendFileSync(path.join(b.folder, 'log'), 'last of b, without a line end');
    b.end(0);
    assert.equal((await done).kind, 'ok');
    assert.equal(logs.get(1), 'first of b\nlast of b, without a line end');
    assert.equal(statuses.get(1), '{"epoch": 1}\n');
    assert.equal(ends.get(1)?.get('exit'), '0');
  });

  it('tells how busy GPUs and disk are, over the same connection', async (t) => {
    const { a, machine } = await started(t);
    machine.install('nvidia-smi', 'printf "0, 87, 30123, 46068, 63\\n1, [N/A], 1, 46068, 31\\n"');
    const { done, gauges } = follow(machine, 'a', '0', '0');
    await eventually(() => gauges.length === 1);
    assert.deepEqual(gauges[0]?.gpus, [
      { index: 0, use: 87, usedMib: 30123, totalMib: 46068, celsius: 63 },
      { index: 1, use: undefined, usedMib: 1, totalMib: 46068, celsius: 31 },
    ]);
    const { freeBytes = 0, totalBytes = 0 } = gauges[0]?.disk ?? {};
    assert.ok(freeBytes > 0 && totalBytes > freeBytes);
    a.end(0);
    assert.equal((await done).kind, 'ok');
  });

  it('sees only the disk where there is no nvidia-smi, or it fails', async (t) => {
    const { a, machine } = await started(t);
    machine.install('nvidia-smi', 'echo "NVIDIA-SMI has failed because it couldn\'t communicate"; exit 9');
    const { done, gauges } = follow(machine, 'a', '0', '0');
    await eventually(() => gauges.length === 1);
    assert.deepEqual(gauges[0]?.gpus, []);
    assert.ok(gauges[0]?.disk);
    a.end(0);
    assert.equal((await done).kind, 'ok');
  });

  it('goes on, and ends, while a driver hangs', async (t) => {
    const { a, machine } = await started(t);
    machine.install('nvidia-smi', 'touch "$HOME/asked"; exec sleep 60');
    const { done, gauges, logs } = follow(machine, 'a', '0', '0');
    await eventually(() => existsSync(path.join(machine.home, 'asked')));
    appendFileSync(path.join(a.folder, 'log'), ' and more');
    await eventually(() => logs.get(0) === 'known so far and more');
    a.end(0);
    assert.equal((await done).kind, 'ok');
    assert.deepEqual(gauges, []);
  });

  it('tells of one that is gone, and stays with the others', async (t) => {
    const { b, machine } = await started(t);
    const { done, ends } = follow(machine, 'nosuch', '0', '0', 'b', '0', '0');
    await eventually(() => ends.get(0)?.get('step') === 'lost');
    assert.equal(ends.get(1), undefined);
    b.end(0);
    assert.equal((await done).kind, 'ok');
    assert.equal(ends.get(1)?.get('step'), 'run');
  });

  it('has patience with a launch on its way, however often another one writes', async (t) => {
    const { a, machine } = await started(t);
    const waiting = path.join(machine.home, '.brev-jobs', 'c');
    mkdirSync(waiting);
    const flood = spawn('bash', ['-c', 'while :; do echo x; done >>"$1"', '-', path.join(a.folder, 'log')]);
    t.after(() => flood.kill());
    const { done, ends, frames } = follow(machine, 'a', '0', '0', 'c', '0', '0');
    // looks that follow each other without a pause are no time that has passed
    const begun = performance.now();
    // on a computer that is too busy for so many, time would really pass
    await eventually(() => frames() > 120 || performance.now() - begun > 5_000);
    flood.kill();
    await once(flood, 'exit');
    assert.equal(ends.get(1), undefined);
    mkdirSync(path.join(waiting, 'launched'));
    writeFileSync(path.join(waiting, 'result'), 'step=run\nexit=0\noom=false\nerror=\n');
    a.end(0);
    assert.equal((await done).kind, 'ok');
    assert.equal(ends.get(1)?.get('step'), 'run');
  });
});
