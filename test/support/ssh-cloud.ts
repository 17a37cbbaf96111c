import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Brev } from '../../src/brev/brev.ts';
import { InstanceStore } from '../../src/instances/store.ts';
import { type Clock, systemClock } from '../../src/process/clock.ts';
import { createRun, type Run, type RunOptions } from '../../src/process/run.ts';
import { ControlFolder } from '../../src/remote/controlFolder.ts';
import { Shells } from '../../src/remote/shells.ts';
import type { SshSettings } from '../../src/remote/sshMaster.ts';
import { sshSettings } from '../../src/remote/sshSettings.ts';
import { machinePath } from '../brev-sim/cloud/machine.ts';
import { createSim, type InstanceSpec, type Sim, type SimInstance } from '../brev-sim/sim.ts';
import { brevOn } from './brev-client.ts';
import { type Process, processes } from './process-tree.ts';
import { type Sshd, type SshdOptions, startSshd } from './sshd.ts';

/** Real time, with leaps. */
export interface LeapingClock extends Clock {
  leap(ms: number): void;
}

/** An instance of the simulated cloud with an sshd of its own beside the simulated ssh of `brev exec`. */
export interface SshInstance extends SimInstance {
  readonly sshd: Sshd;
}

/** A simulated cloud whose machines answer a real ssh too, and our shells on it, as a window has them. */
export interface SshCloud {
  readonly sim: Sim;
  readonly brev: Brev;
  readonly store: InstanceStore;
  readonly shells: Shells;
  readonly clock: LeapingClock;
  /** Every program that was run, first to last. */
  readonly runs: readonly { readonly program: string; readonly options: RunOptions }[];
  readonly log: readonly string[];
  /** Adds a running instance. Its machine is named after it, unless told otherwise. */
  add(spec: InstanceSpec, sshd?: Omit<SshdOptions, 'machine'>): Promise<SshInstance>;
  /** Runs of ssh (each a connection, a session or an end), and calls of the CLI but for lists. */
  counts(): { readonly ssh: number; readonly cli: readonly string[] };
  /** A second window on the same cloud: its shells know nothing of the first one's. */
  anotherWindow(ssh?: Partial<SshSettings> | 'win32'): Shells;
  /** Removes what lies in the temporary folder. */
  sweep(): Promise<void>;
  sshProcesses(): Process[];
  dispose(): Promise<void>;
}

export async function createSshCloud(): Promise<SshCloud> {
  const sim = await createSim({ speed: 50 });
  const sockets = await mkdtemp('/tmp/brev-ssh-');
  const runs: { program: string; options: RunOptions }[] = [];
  const plain = createRun();
  const run: Run = (program, options) => {
    runs.push({ program, options });
    return plain(program, options);
  };
  const log: string[] = [];
  const brev = brevOn(sim, run);
  let leapt = 0;
  const clock: LeapingClock = {
    now: () => systemClock.now() + leapt,
    after: systemClock.after,
    leap: (ms) => {
      leapt += ms;
    },
  };
  const store = new InstanceStore({
    brev,
    clock,
    intervals: () => ({ steadyMs: 3_600_000, transitionMs: 3_600_000 }),
  });
  const windows: Shells[] = [];
  const open = (changes: Partial<SshSettings> | 'win32' = {}): Shells => {
    const platform = changes === 'win32' ? changes : process.platform;
    const ssh = sshSettings({
      run,
      environment: () => sim.env,
      platform,
      control: new ControlFolder('ssh', sockets),
    });
    // idle connections stand as long as any test: what is closed was closed on purpose
    const changed = ssh === undefined || changes === 'win32' ? ssh : { ...ssh, idleSeconds: 600, ...changes };
    const shells = new Shells({ brev, store, ssh: changed, clock, log: (line) => log.push(line) });
    windows.push(shells);
    return shells;
  };
  const servers: Sshd[] = [];
  return {
    sim,
    brev,
    store,
    shells: open(),
    clock,
    runs,
    log,
    add: async (spec, options = {}) => {
      const instance = await sim.addInstance(spec);
      const sshd = await startSshd({
        hostName: `brev-${instance.id}`,
        environment: { PATH: machinePath(sim.root, instance.id), BREV_SIM_PROCESS: sim.root },
        ...options,
        machine: instance.machine,
      });
      servers.push(sshd);
      // one key opens all machines of a user
      const key = servers[0]?.keyFile ?? sshd.keyFile;
      await sshd.authorise(await readFile(`${key}.pub`, 'utf8'));
      const privateKey = await readFile(key, 'utf8');
      await sim.cloud((cloud) => {
        cloud.privateKey = privateKey;
      });
      await sim.update(instance.id, { sshHost: '127.0.0.1', sshPort: sshd.port, sshUser: sshd.user });
      return { ...instance, sshd };
    },
    counts: () => ({
      ssh: runs.filter(({ program }) => program === 'ssh').length,
      cli: runs
        .filter(({ program }) => program === sim.brevPath)
        .map(({ options }) => options.args[0] ?? '')
        .filter((name) => name === 'exec' || name === 'refresh' || name === 'copy'),
    }),
    anotherWindow: open,
    sweep: async () => {
      for (const name of await readdir(sockets)) await rm(path.join(sockets, name), { recursive: true });
    },
    sshProcesses: () => processes().filter(({ command }) => command.includes(sockets)),
    dispose: async () => {
      for (const sshd of servers) sshd.thaw();
      await Promise.all(windows.map((window) => window.dispose()));
      store.dispose();
      await Promise.all(servers.map((sshd) => sshd.dispose()));
      await sim.dispose();
      await rm(sockets, { recursive: true, force: true });
    },
  };
}

/** The CLI's ssh config in the simulated user's home. */
export function configOf(sim: Sim): string {
  return path.join(sim.home, '.brev/ssh_config');
}
