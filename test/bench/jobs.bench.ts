// Following a job's log over a real ssh on loopback: speed, memory, delay, and reconnecting after a kill.
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { followToEnd } from '../../src/jobs/follow.ts';
import { LocalLog } from '../../src/jobs/localLog.ts';
import { BrevPlatform } from '../../src/platforms/brev/brevPlatform.ts';
import { systemClock } from '../../src/process/clock.ts';
import { ok } from '../../src/values/outcome.ts';
import { type SshMachine, startSshMachine } from '../support/ssh-machine.ts';
import { alone, compared, type Figure, median, percentile } from './figure.ts';

const LOG_BYTES = 1024 * 1024 * 1024;
const ROUNDS = 3;
const LINES = 60;
const KILLS = 5;
const JOBS = 50;
/** The log channel looks at the local copy that often (src/ui/jobs/jobLogs.ts). */
const CHANNEL_MS = 200;

export async function measure(report: (figure: Figure) => void): Promise<void> {
  const machine = await startSshMachine();
  const folder = await mkdtemp('/tmp/brev-bench-');
  try {
    await throughput(machine, folder, report);
    await latency(machine, folder, report);
    await reconnect(machine, folder, report);
    await manyJobs(machine, folder, report);
  } finally {
    await machine.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A job's folder on the machine, as its supervisor (this process stands for it) would have made it. */
function fakeJob(machine: SshMachine, id: string): string {
  const folder = path.join(machine.sshd.home, '.brev-jobs', id);
  mkdirSync(path.join(folder, 'launched'), { recursive: true });
  const started = readFileSync('/proc/self/stat', 'utf8').split(' ')[21];
  writeFileSync(path.join(folder, 'pid'), `${process.pid} ${started}\n`);
  writeFileSync(path.join(folder, 'step'), 'run\n');
  writeFileSync(path.join(folder, 'log'), '');
  return folder;
}

function end(folder: string): void {
  writeFileSync(path.join(folder, 'result'), 'step=run\nexit=0\noom=false\nerror=\n');
}

function follow(
  machine: SshMachine,
  local: string,
  id: string,
  onBytes: () => void,
  platform = brev(machine),
): Promise<unknown> {
  mkdirSync(path.join(local, id), { recursive: true });
  const logs = {
    log: new LocalLog(path.join(local, id, 'log')),
    status: new LocalLog(path.join(local, id, 'status')),
  };
  return followToEnd({
    platform,
    target: { jobId: id, instanceId: 'i', instanceName: 'gpu1' },
    logs,
    clock: systemClock,
    random: Math.random,
    signal: new AbortController().signal,
    onProgress: (progress) => {
      if (progress.kind === 'bytes') {
        onBytes();
      }
    },
  }).finally(() => {
    logs.log.close();
    logs.status.close();
  });
}

function brev(machine: SshMachine): BrevPlatform {
  return new BrevPlatform({ clock: systemClock, shell: async () => ok(machine.shell) });
}

async function throughput(
  machine: SshMachine,
  local: string,
  report: (figure: Figure) => void,
): Promise<void> {
  const folder = fakeJob(machine, 'speed');
  const block = Buffer.alloc(1024 * 1024, 'Epoch 1: 50%|#####     | train_loss=0.123\n');
  const file = openSync(path.join(folder, 'log'), 'w');
  for (let written = 0; written < LOG_BYTES; written += block.length) {
    writeSync(file, block);
  }
  closeSync(file);
  end(folder);
  const cats: number[] = [];
  const ours: number[] = [];
  const growths: number[] = [];
  // in turn, so that both meet the same weather
  for (let round = 0; round < ROUNDS; round++) {
    cats.push(await timed(() => plainCat(machine, path.join(folder, 'log'), path.join(local, 'plain'))));
    const before = process.memoryUsage().rss;
    let most = before;
    ours.push(
      await timed(() =>
        follow(machine, local, 'speed', () => {
          most = Math.max(most, process.memoryUsage().rss);
        }),
      ),
    );
    growths.push((most - before) / 1e6);
    const { size } = statSync(path.join(local, 'speed', 'log'));
    if (size !== LOG_BYTES) {
      throw new Error(`the copy has ${size} bytes`);
    }
    await rm(path.join(local, 'speed'), { recursive: true });
    await rm(path.join(local, 'plain'));
  }
  const speed = (times: readonly number[]): number => LOG_BYTES / 1e6 / (median(times) / 1e3);
  report(
    compared(
      `log of 1 GB to the local copy against \`ssh host cat file\`, median of ${ROUNDS}`,
      'MB/s',
      speed(ours),
      speed(cats),
      '>= 0.7',
    ),
  );
  report(alone('memory growth of the host meanwhile', 'MB', median(growths), '<= 64'));
  await rm(path.join(folder, 'log'));
}

function plainCat(machine: SshMachine, remote: string, local: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const out = openSync(local, 'w');
    const child = execFile(
      'ssh',
      [
        '-F',
        machine.configFile,
        '-T',
        '-o',
        'ControlMaster=no',
        '-o',
        'ControlPath=none',
        '-o',
        'LogLevel=ERROR',
        'gpu1',
        `cat ${remote}`,
      ],
      { encoding: 'buffer', maxBuffer: 1 },
    );
    child.stdout?.removeAllListeners('data');
    child.stdout?.on('data', (chunk: Uint8Array) => writeSync(out, chunk));
    child.on('close', () => {
      closeSync(out);
      statSync(local).size === LOG_BYTES ? resolve() : reject(new Error('ssh cat was cut'));
    });
  });
}

async function latency(machine: SshMachine, local: string, report: (figure: Figure) => void): Promise<void> {
  const folder = fakeJob(machine, 'delay');
  const delays: number[] = [];
  let written = 0;
  let seen: (() => void) | undefined;
  const following = follow(machine, local, 'delay', () => {
    delays.push(performance.now() - written);
    seen?.();
  });
  for (let line = 0; line <= LINES; line++) {
    // at another moment of the remote look each time
    await delay(50 + Math.random() * 200);
    const arrived = new Promise<void>((resolve) => {
      seen = resolve;
    });
    written = performance.now();
    appendFileSync(path.join(folder, 'log'), `line ${line}\n`);
    await arrived;
  }
  end(folder);
  await following;
  // the first one is the connection's
  const steady = delays.slice(1).map((ms) => ms + Math.random() * CHANNEL_MS);
  report(alone('a line from the remote file to the log channel, median', 'ms', median(steady), '<= 300'));
  report(alone('the same, 95th percentile', 'ms', percentile(steady, 95), '<= 700'));
}

async function reconnect(
  machine: SshMachine,
  local: string,
  report: (figure: Figure) => void,
): Promise<void> {
  const folder = fakeJob(machine, 'reconnect');
  let arrived: (() => void) | undefined;
  const following = follow(machine, local, 'reconnect', () => arrived?.());
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      arrived = resolve;
    });
  const writer = setInterval(() => appendFileSync(path.join(folder, 'log'), 'x\n'), 20);
  await next();
  const times: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const begun = performance.now();
    for (const { pid } of machine.sshProcesses()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // its master's end took it along
      }
    }
    await next();
    times.push(performance.now() - begun);
    await delay(300);
  }
  clearInterval(writer);
  end(folder);
  await following;
  report(alone('from a killed connection to the next byte here, median', 'ms', median(times), '<= 1500'));
}

async function manyJobs(machine: SshMachine, local: string, report: (figure: Figure) => void): Promise<void> {
  const folders = Array.from({ length: JOBS }, (_, index) => fakeJob(machine, `many-${index}`));
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const platform = brev(machine);
  const following = folders.map((_, index) =>
    follow(machine, local, `many-${index}`, () => undefined, platform),
  );
  for (let second = 0; second < 10; second++) {
    for (const folder of folders) {
      appendFileSync(path.join(folder, 'log'), `second ${second}\n`);
    }
    await delay(1_000);
  }
  const masters = machine
    .sshProcesses()
    .filter(({ command }) => /-M|ControlMaster=(?:auto|yes)|\[mux\]/.test(command));
  report(alone(`ssh connections for ${JOBS} jobs followed at once`, 'connections', masters.length, '<= 1'));
  for (const folder of folders) {
    end(folder);
  }
  await Promise.all(following);
  const used = process.cpuUsage(cpu);
  const share = (used.user + used.system) / 1_000 / (performance.now() - begun);
  report(alone(`processor share of the host process with ${JOBS} jobs`, '%', share * 100));
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await action();
  return performance.now() - begun;
}
