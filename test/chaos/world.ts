import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { haltMachine, machinePath } from '../brev-sim/cloud/machine.ts';
import { createSim, type Fault, type Sim, type SimInstance } from '../brev-sim/sim.ts';
import { freePort } from '../support/freePort.ts';
import { type Sshd, startSshd } from '../support/sshd.ts';
import { signal, worldProcesses } from './processes.ts';
import type { Route } from './schedule.ts';

const SPEED = 50;
/** The bytes that a disk has which can run full. */
const DISK = '6m';

/** A simulated cloud with one instance, and the computer of the one who uses it; all in one folder. */
export class World {
  readonly root: string;
  readonly sim: Sim;
  readonly gpu: SimInstance;
  readonly sshd: Sshd | undefined;
  readonly #mounts: string[] = [];
  #lastTurn: Promise<void> = Promise.resolve();
  readonly #faults: Fault[] = [];
  readonly #dockerFaults: Record<string, unknown> = {};

  private constructor(root: string, sim: Sim, gpu: SimInstance, sshd: Sshd | undefined) {
    this.root = root;
    this.sim = sim;
    this.gpu = gpu;
    this.sshd = sshd;
  }

  static async make(
    route: Route,
    canFill: { readonly remote: boolean; readonly local: boolean },
  ): Promise<World> {
    const root = mkdtempSync(path.join(tmpdir(), 'brev-chaos-'));
    const sim = await createSim({
      root: path.join(root, 'cloud'),
      speed: SPEED,
      machineSpeed: SPEED,
    });
    const gpu = await sim.addInstance({ name: 'gpu1', stoppable: true });
    const sshd = route === 'ssh' ? await withSshd(sim, gpu) : undefined;
    const world = new World(root, sim, gpu, sshd);
    world.#furnish(canFill);
    await world.brev('refresh');
    return world;
  }

  /** What all windows share: records, and folders of jobs. */
  get desk(): string {
    return path.join(this.root, 'desk');
  }

  /** The temporary folder of the one who uses it. */
  get temporary(): string {
    return path.join(this.root, 't');
  }

  /** The environment of the CLI and of ssh. */
  get environment(): Record<string, string> {
    return { ...this.sim.env, TMPDIR: this.temporary, CHAOS_WORLD: this.root };
  }

  /** The folder of a job on the machine, wherever it stands now; undefined where there is none. */
  remoteFolder(id: string): string | undefined {
    const folder = path.join(this.gpu.home, '.brev-jobs', id);
    return [folder, `${folder}.never`].find((each) => existsSync(each));
  }

  /** The id that the job of this key got; undefined while no window has made it. */
  jobId(key: string): string | undefined {
    const jobs = path.join(this.desk, 'jobs');
    return (existsSync(jobs) ? readdirSync(jobs) : []).find(
      (id) =>
        this.exists(path.join(jobs, id, 'job.json')) &&
        (id.includes(`-${key}-`) || this.read(path.join(jobs, id, 'command')).includes(key)),
    );
  }

  read(file: string): string {
    return existsSync(file) ? readFileSync(file, 'latin1') : '';
  }

  exists(file: string): boolean {
    return existsSync(file);
  }

  size(file: string): number {
    return existsSync(file) ? statSync(file).size : 0;
  }

  /** Calls the CLI as a person in a terminal would. */
  async brev(...args: string[]): Promise<void> {
    const child = spawn(this.sim.brevPath, args, { env: this.environment, stdio: 'ignore' });
    await once(child, 'exit');
  }

  /** Calls docker on the machine. */
  async docker(...args: string[]): Promise<void> {
    const child = spawn(path.join(this.gpu.machine, 'bin/docker'), args, {
      env: { PATH: '/usr/bin:/bin', HOME: this.gpu.home, BREV_SIM_MACHINE: this.gpu.machine },
      stdio: 'ignore',
    });
    await once(child, 'exit');
  }

  async addFault(fault: Fault): Promise<void> {
    this.#faults.push(fault);
    await this.sim.scenario(this.#faults);
  }

  setDockerFault(kind: 'daemon' | 'pull', fault: unknown): void {
    this.#dockerFaults[kind] = fault;
    const file = path.join(this.gpu.machine, 'docker-faults.json');
    writeFileSync(`${file}.new`, JSON.stringify(this.#dockerFaults));
    // read by others at any moment
    renameSync(`${file}.new`, file);
  }

  signOut(): void {
    if (existsSync(this.#credentials)) renameSync(this.#credentials, `${this.#credentials}.away`);
  }

  signIn(): void {
    if (existsSync(`${this.#credentials}.away`)) renameSync(`${this.#credentials}.away`, this.#credentials);
  }

  get #credentials(): string {
    return path.join(this.sim.home, '.brev/credentials.json');
  }

  /** The power goes, and comes again. */
  reboot(meanwhile: () => Promise<void>): Promise<void> {
    return this.#inTurn(() => this.#reboot(meanwhile));
  }

  /** As from the console in a browser: whoever has signed out here doesn't matter to it. */
  stopAndStart(meanwhile: () => Promise<void>): Promise<void> {
    return this.#inTurn(() => this.#stopAndStart(meanwhile));
  }

  /** A machine can't be rebooted while it is being stopped. */
  #inTurn(action: () => Promise<void>): Promise<void> {
    const turn = this.#lastTurn.then(action);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async #reboot(meanwhile: () => Promise<void>): Promise<void> {
    await this.sshd?.refuse();
    this.sshd?.drop();
    // before the processes end: brev exec still gets in here, as it doesn't in truth, and must not find the old boot
    this.#newBoot();
    await haltMachine(this.sim.root, this.gpu.id);
    await meanwhile();
    await this.#acceptAgain();
  }

  async #stopAndStart(meanwhile: () => Promise<void>): Promise<void> {
    await this.sim.update(this.gpu.id, { status: 'STOPPING' });
    await this.sshd?.refuse();
    this.sshd?.drop();
    this.#newBoot();
    await haltMachine(this.sim.root, this.gpu.id);
    await this.sim.update(this.gpu.id, { status: 'STOPPED' });
    await meanwhile();
    await this.sim.update(this.gpu.id, { status: 'STARTING' });
    await meanwhile();
    await this.#acceptAgain();
    await this.sim.update(this.gpu.id, { status: 'RUNNING' });
  }

  /** As after any start the address may be another one: here another program may have taken the port meanwhile. */
  async #acceptAgain(): Promise<void> {
    if (this.sshd === undefined) return;
    await this.sshd.accept(await freePort());
    await this.sim.update(this.gpu.id, { sshPort: this.sshd.port });
  }

  /** Fills the disk of a folder that can be filled; what was written before stays. Gives a way to make room again. */
  fill(folder: 'remote' | 'local'): () => void {
    const filler = path.join(folder === 'remote' ? this.#remoteDisk : this.desk, 'filler');
    try {
      execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1k'], { stdio: 'ignore' });
    } catch {
      // it ends when the disk is full, which is what it is for
    }
    return () => rmSync(filler, { force: true });
  }

  /** Ends what still runs; the files stay. */
  async halt(): Promise<void> {
    this.sshd?.thaw();
    await this.sshd?.dispose();
    for (const { pid } of worldProcesses(this.root)) signal(pid, 'SIGKILL');
  }

  async dispose(): Promise<void> {
    await this.halt();
    for (const mount of this.#mounts) execFileSync('umount', ['-l', mount]);
    await this.sim.dispose();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  get #remoteDisk(): string {
    return path.join(this.gpu.home, '.brev-jobs');
  }

  #furnish(canFill: { readonly remote: boolean; readonly local: boolean }): void {
    for (const folder of [this.desk, this.temporary]) mkdirSync(folder);
    mkdirSync(this.#remoteDisk, { mode: 0o700 });
    for (const [wanted, folder] of [
      [canFill.remote, this.#remoteDisk],
      [canFill.local, this.desk],
    ] as const) {
      if (wanted) {
        execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'chaos', folder]);
        this.#mounts.push(folder);
      }
    }
    writeFileSync(path.join(this.gpu.machine, 'registry.json'), JSON.stringify({ pullSeconds: 10 }));
    this.#newBoot();
    // the machine's kernel has a boot id of its own, which the scripts read as they read any file
    const cat = path.join(this.gpu.machine, 'bin/cat');
    writeFileSync(
      cat,
      `#!/bin/sh\n[ "$1" != /proc/sys/kernel/random/boot_id ] || set -- "$BREV_SIM_MACHINE/boot-id"\nexec /bin/cat "$@"\n`,
    );
    chmodSync(cat, 0o755);
  }

  #newBoot(): void {
    writeFileSync(path.join(this.gpu.machine, 'boot-id'), `${randomUUID()}\n`);
  }
}

/** Whether this user may mount, so that disks can run full. */
export function canMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'brev-chaos-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'chaos', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    // not root, or a container that may not
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function withSshd(sim: Sim, gpu: SimInstance): Promise<Sshd> {
  const sshd = await startSshd({
    machine: gpu.machine,
    hostName: `brev-${gpu.id}`,
    environment: { PATH: machinePath(sim.root, gpu.id), BREV_SIM_PROCESS: sim.root },
    config: ['MaxStartups 100'],
  });
  const privateKey = readFileSync(sshd.keyFile, 'utf8');
  await sim.cloud((cloud) => {
    cloud.privateKey = privateKey;
  });
  await sim.update(gpu.id, { sshHost: '127.0.0.1', sshPort: sshd.port, sshUser: sshd.user });
  return sshd;
}
