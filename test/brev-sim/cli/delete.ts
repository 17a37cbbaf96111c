import { destroyMachine } from '../cloud/machine.ts';
import { updateCloud } from '../cloud/state.ts';
import { CliError, multiError } from './errors.ts';
import { changeInstance, findOwn, notFound } from './instances.ts';
import { printNames, requireNames } from './names.ts';
import { requireOrg } from './orgs.ts';
import type { Invocation, Run } from './run.ts';
import { refuseAction, signIn } from './session.ts';

/** `brev delete NAME…`: no flags, no question asked; exit 0 means accepted. */
export async function deleteInstances({ run, args }: Invocation): Promise<void> {
  const names = await requireNames(run, args);
  const failures: string[] = [];
  for (const name of names) {
    try {
      await deleteOne(run, name);
    } catch (error) {
      // A bad name doesn't keep the others from being deleted (contract 7).
      if (!(error instanceof CliError)) throw error;
      failures.push(describe(run, error));
    }
  }
  if (failures.length > 0) throw multiError(failures);
  printNames(run, names);
}

/** The message of a failure inside a batch, with the log lines that its request left. */
export function describe(run: Run, error: CliError): string {
  if ('logs' in error && typeof error.logs === 'string') run.err(error.logs);
  return error.message;
}

async function deleteOne(run: Run, name: string): Promise<void> {
  const session = signIn(run);
  const seen = findOwn(run, session, requireOrg(run, session), name);
  if (seen === undefined) throw notFound(name);
  const { instance, sight } = seen;
  refuseAction(run);
  if (sight.status !== 'DELETING') {
    const lingers = run.fault('delete-lingers');
    changeInstance(run, instance.id, (record) => {
      record.motion = {
        kind: 'delete',
        since: Date.now(),
        ...(lingers === undefined ? {} : { lists: lingers.lists }),
      };
    });
    if (lingers === undefined) await destroyMachine(run.root, instance.id);
    forgetGone(run);
  }
  if (!run.piped) {
    run.out(
      `Deleting instance ${instance.name}. This can take a few minutes. Run 'brev ls' to check status\n`,
    );
  }
}

/** Records of instances that went long ago needn't be kept. */
function forgetGone(run: Run): void {
  updateCloud(run.root, (cloud) => {
    const longAgo = Date.now() - 3_600_000;
    cloud.instances = cloud.instances.filter(
      ({ motion }) => motion?.kind !== 'delete' || motion.lists !== undefined || motion.since > longAgo,
    );
  });
}
