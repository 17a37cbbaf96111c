import type { Instance, Motion } from '../cloud/instance.ts';
import { buildMachine } from '../cloud/machine.ts';
import { newInstance } from '../cloud/new-instance.ts';
import { findOffer } from '../cloud/offers.ts';
import { updateCloud } from '../cloud/state.ts';
import { DEFAULT_DISK_GB, refusePlacement, type WantedType } from './create-options.ts';
import { CliError } from './errors.ts';
import type { Flags } from './flags.ts';
import { seeNow } from './instances.ts';
import type { Run } from './run.ts';
import { refuseAction } from './session.ts';

/** Who orders, and with which options. */
export interface Order {
  run: Run;
  flags: Flags;
  userId: string;
  orgId: string;
}

/** The request that makes a machine; `made` machines of the same create were granted before. */
export async function placeOrder(
  order: Order,
  name: string,
  wanted: WantedType,
  made: number,
): Promise<Instance> {
  const { run, flags } = order;
  const problem = problemWith(run, wanted.type, made);
  if (problem !== undefined) throw new CliError(problem);
  refuseAction(run);
  refusePlacement(run, flags);
  const instance = grant(order, name, wanted);
  // The answer is lost on its way, or never comes: the machine exists all the same (contract 5).
  if (run.fault('create-lost') !== undefined) {
    throw new CliError(
      'Post "https://brevapi.us-west-2-prod.control-plane.brev.dev/api/organizations/workspaces": unexpected EOF',
    );
  }
  if (run.fault('create-pending') !== undefined)
    await new Promise(() => setInterval(() => undefined, 3_600_000));
  return instance;
}

/** Why this type can't be had now, in the CLI's words. */
export function problemWith(run: Run, type: string, made: number): string | undefined {
  if (findOffer(type) === undefined) {
    return `instance type "${type}" is not a recognized type; run 'brev search' to see available types`;
  }
  const fault = run.fault('no-capacity');
  const runsOut = fault !== undefined && made >= (fault.after ?? 0) && (fault.types?.includes(type) ?? true);
  if (!runsOut && !run.cloud().soldOut.includes(type)) return undefined;
  return `instance type "${type}" is currently unavailable (no capacity); try again later or choose another type`;
}

function grant({ run, flags, userId, orgId }: Order, name: string, wanted: WantedType): Instance {
  return updateCloud(run.root, (cloud) => {
    const isTaken = cloud.instances
      .filter((other) => other.orgId === orgId && other.name === name)
      .some((other) => !seeNow(run, cloud, other).sight.gone);
    if (isTaken || run.fault('name-taken') !== undefined) {
      throw new CliError(`duplicate workspace with name ${name}`);
    }
    const fresh = newInstance(cloud, {
      name,
      type: wanted.type,
      orgId,
      owner: userId,
      diskGb: wanted.diskGb ?? DEFAULT_DISK_GB,
      docker: flags.text('mode') === 'vm',
      motion: deployment(run),
      ...(flags.given('cloud-cred-id') ? { cloudCredId: flags.text('cloud-cred-id') } : {}),
      ...(flags.given('workspace-group-id') ? { workspaceGroupId: flags.text('workspace-group-id') } : {}),
    });
    buildMachine(run.root, cloud, fresh);
    cloud.instances.push(fresh);
    return fresh;
  });
}

function deployment(run: Run): Motion {
  const failure = run.fault('machine-failure');
  if (failure !== undefined) {
    return { kind: 'deploy', since: Date.now(), outcome: 'failure', message: failure.message ?? '' };
  }
  const outcome = run.fault('never-ready') === undefined ? 'ok' : 'never';
  return { kind: 'deploy', since: Date.now(), outcome };
}
