import { signal, type WorldProcess, worldProcesses } from './processes.ts';
import { Random } from './random.ts';
import type { PlannedFault } from './schedule.ts';
import type { PlayedJob, Stage } from './stage.ts';

/** Lets a fault strike, and last; settles when all is as before, but for what it has done. */
export async function strike(stage: Stage, fault: PlannedFault): Promise<void> {
  const random = new Random(fault.seed);
  const { world } = stage;
  const job = stage.jobs[fault.job];
  if (job === undefined) return;
  const done = (what: string): void => {
    stage.struck.add(fault.kind);
    stage.note(`${fault.kind}: ${what}`);
  };
  const victim = (...roles: readonly WorldProcess['role'][]): WorldProcess | undefined => {
    const all = worldProcesses(world.root).filter(({ role }) => roles.includes(role));
    return all.length === 0 ? undefined : all[random.between(0, all.length - 1)];
  };
  const killOne = (name: NodeJS.Signals, ...roles: readonly WorldProcess['role'][]): void => {
    const one = victim(...roles);
    if (one !== undefined && signal(one.pid, name))
      done(`${name} to ${one.pid} ${one.command.slice(0, 120)}`);
  };
  const freeze = async (...roles: readonly WorldProcess['role'][]): Promise<void> => {
    const one = victim(...roles);
    if (one === undefined || !signal(one.pid, 'SIGSTOP')) return;
    done(`${one.pid} ${one.command.slice(0, 120)}`);
    await stage.pause(3 * fault.ms);
    signal(one.pid, 'SIGCONT');
    stage.note(`${fault.kind}: ${one.pid} goes on`);
  };
  switch (fault.kind) {
    case 'kill-ssh':
      return killOne('SIGKILL', 'ssh');
    case 'kill-master':
      return killOne('SIGKILL', 'master');
    case 'drop-connections':
      if (world.sshd !== undefined) {
        done(`${world.sshd.connections().length} of sshd`);
        world.sshd.drop();
      }
      return;
    case 'kill-cli':
      return killOne('SIGKILL', 'cli');
    case 'kill-cli-group': {
      const one = victim('cli');
      if (one !== undefined && signal(-one.pid, 'SIGKILL')) done(one.command.slice(0, 120));
      return;
    }
    case 'replay-exec': {
      const [nth, afterBytes] = [random.between(1, 4), random.between(1, 60_000)];
      done(`exec ${nth} after ${afterBytes} bytes`);
      await world.addFault({ kind: 'drop', command: 'exec', nth, afterBytes });
      return;
    }
    case 'freeze-cli':
      return freeze('cli', 'ssh');
    case 'freeze-supervisor':
      return freeze('supervisor', 'docker');
    case 'freeze-window':
      return freeze('window');
    case 'kill-supervisor':
      return killOne('SIGKILL', 'supervisor');
    case 'terminate-supervisor':
      return killOne('SIGTERM', 'supervisor');
    case 'kill-docker-client':
      return killOne(random.pick(['SIGKILL', 'SIGTERM']), 'docker');
    case 'kill-remote-shell':
      return killOne('SIGKILL', 'remote-shell');
    case 'kill-window':
    case 'close-window':
      return endWindow(stage, fault, random, done);
    case 'second-window':
      done('');
      await stage.openWindow();
      return;
    case 'stop-and-start':
      done('stop');
      await world.stopAndStart(() => stage.pause(fault.ms));
      stage.note('stop-and-start: started');
      return;
    case 'reboot':
      done('down');
      await world.reboot(() => stage.pause(fault.ms / 3));
      stage.note('reboot: up');
      return;
    case 'delete-container':
      return deleteContainer(stage, job, done);
    case 'full-disk':
    case 'full-local-disk': {
      const makeRoom = world.fill(fault.kind === 'full-disk' ? 'remote' : 'local');
      done('full');
      await stage.pause(2 * fault.ms);
      makeRoom();
      stage.note(`${fault.kind}: room again`);
      return;
    }
    case 'leap-clock':
      done('8 h');
      (await stage.liveWindow())?.order({ kind: 'leap', ms: 8 * 3_600_000 });
      return;
    case 'cancel':
      return cancel(stage, job, done);
    case 'list-fails':
      done('');
      await world.addFault({ kind: 'error', command: 'ls', count: random.between(1, 5), stderr: 'boom\n' });
      return;
    case 'sign-out':
      done('out');
      world.signOut();
      await stage.pause(2 * fault.ms);
      world.signIn();
      stage.note('sign-out: in again');
      return;
    case 'docker-down':
      done('down');
      world.setDockerFault('daemon', 'down');
      await stage.pause(fault.ms);
      world.setDockerFault('daemon', undefined);
      stage.note('docker-down: up');
      return;
    case 'pull-hiccup':
      done('');
      world.setDockerFault('pull', { error: 'anonymous-401', times: 1 });
      return;
  }
}

async function endWindow(
  stage: Stage,
  fault: PlannedFault,
  random: Random,
  done: (what: string) => void,
): Promise<void> {
  const living = stage.windows.filter(({ alive }) => alive);
  const window = living[random.between(0, living.length - 1)];
  if (window === undefined) return;
  done(`window ${window.number}`);
  await (fault.kind === 'kill-window' ? window.kill() : window.quit());
  await stage.pause(fault.ms / 2);
  await stage.openWindow();
}

async function deleteContainer(
  { world }: Stage,
  { plan }: PlayedJob,
  done: (what: string) => void,
): Promise<void> {
  const id = world.jobId(plan.key);
  if (id === undefined || plan.kind !== 'container') return;
  done(id);
  await world.docker('rm', '-f', id);
}

async function cancel(stage: Stage, { plan }: PlayedJob, done: (what: string) => void): Promise<void> {
  const window = await stage.liveWindow();
  const id = stage.world.jobId(plan.key);
  if (window === undefined || id === undefined) return;
  done(id);
  window.order({ kind: 'cancel', id, key: plan.key });
}
