import { haltMachine } from '../cloud/machine.ts';
import { findOffer } from '../cloud/offers.ts';
import { describe } from './delete.ts';
import { CliError, multiError } from './errors.ts';
import { changeInstance, findOwn, instancesOf, isOwn, notFound, type Seen } from './instances.ts';
import { printNames, requireNames } from './names.ts';
import { requireOrg } from './orgs.ts';
import type { Invocation, Run } from './run.ts';
import { refuseAction, signIn } from './session.ts';

/** `brev stop NAME…` or `--all` */
export async function stop({ run, flags, args }: Invocation): Promise<void> {
  if (flags.on('all')) {
    await stopAll(run);
    return;
  }
  const names = await requireNames(run, args);
  const failures: string[] = [];
  for (const name of names) {
    try {
      await stopNamed(run, name);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      failures.push(describe(run, error));
    }
  }
  if (failures.length > 0) throw multiError(failures);
  printNames(run, names);
}

async function stopAll(run: Run): Promise<void> {
  const session = signIn(run);
  const own = instancesOf(run, requireOrg(run, session)).filter(
    (seen) => isOwn(session, seen) && seen.sight.status === 'RUNNING' && isStoppable(run, seen),
  );
  if (own.length === 0 && !run.piped) run.out('No instances to stop\n');
  for (const seen of own) await stopOne(run, seen);
  printNames(
    run,
    own.map(({ instance }) => instance.name),
  );
}

async function stopNamed(run: Run, name: string): Promise<void> {
  if (name === 'self') throw new CliError('not running on an instance');
  const session = signIn(run);
  const seen = findOwn(run, session, requireOrg(run, session), name);
  if (seen === undefined) throw notFound(name);
  if (run.since('0.6.327') && !isStoppable(run, seen)) {
    throw new CliError(`instance "${name}" does not support stop.`);
  }
  await stopOne(run, seen);
}

async function stopOne(run: Run, { instance, sight }: Seen): Promise<void> {
  refuseAction(run);
  // Already stopped: the request is sent all the same and accepted.
  if (sight.status !== 'STOPPED' && sight.status !== 'STOPPING') {
    changeInstance(run, instance.id, (record) => {
      record.status = 'STOPPED';
      record.motion = { kind: 'stop', since: Date.now() };
    });
    await haltMachine(run.root, instance.id);
  }
  if (!run.piped) {
    run.out(
      `Stopping instance ${instance.name}.\nNote: this can take a few seconds. Run 'brev ls' to check status\n`,
    );
  }
}

/** Missing information counts as "not stoppable". */
function isStoppable(run: Run, { instance }: Seen): boolean {
  if (run.fault('not-stoppable') !== undefined || run.fault('types-down') !== undefined) return false;
  return instance.stoppable ?? findOffer(instance.type)?.stoppable ?? false;
}
