import type { Instance, Motion } from '../cloud/instance.ts';
import { buildMachine } from '../cloud/machine.ts';
import { newInstance } from '../cloud/new-instance.ts';
import { findOffer } from '../cloud/offers.ts';
import { updateCloud } from '../cloud/state.ts';
import {
  checkName,
  readStartupScript,
  refusePlacement,
  type WantedType,
  wantedTypes,
} from './create-options.ts';
import { CliError, traced } from './errors.ts';
import type { Flags } from './flags.ts';
import { seeNow } from './instances.ts';
import { requireOrg } from './orgs.ts';
import type { Invocation, Run } from './run.ts';
import { type Session, signIn } from './session.ts';

type Made = { name: string; id: string; type: string };

/** `brev create NAME`: exit 0 means that the request was accepted, no more. */
export async function create(call: Invocation): Promise<void> {
  const { run, flags, args } = call;
  const name = args[0] ?? flags.text('name');
  if (!flags.on('dry-run') || name !== '') checkName(run, name);
  const types = await wantedTypes(call);
  if (flags.on('dry-run')) {
    run.out(`${types.map(({ type, diskGb }) => `${type} (${diskGb}GB disk)`).join(', ')}\n`);
    return;
  }
  readStartupScript(flags);
  if (flags.number('count') < 1) throw new CliError('--count must be at least 1');
  const session = signIn(run);
  const org = requireOrg(run, session);
  const made = await tryTypes(run, flags, session, org.id, name, types);
  const wanted = flags.number('count');
  if (made.length < wanted) reportShort(run, made, wanted);
  if (!flags.on('detached')) await waitForAll(run, flags, made);
  report(run, made);
}

async function tryTypes(
  run: Run,
  flags: Flags,
  session: Session,
  orgId: string,
  name: string,
  types: WantedType[],
): Promise<Made[]> {
  const count = flags.number('count');
  const parallel = Math.max(1, flags.number('parallel'));
  run.progress(`Attempting to create ${count} instance(s) with ${parallel} parallel attempts\n`);
  run.progress(`Instance types to try: ${types.map(({ type }) => type).join(', ')}\n\n`);
  if (run.fault('types-down') !== undefined) {
    run.progress(
      'Warning: could not fetch instance types with workspace groups: unexpected end of JSON input\n',
    );
    throw new CliError(
      `could not resolve workspace group for "${types[0]?.type ?? ''}" (instance-type listing was unavailable); please retry`,
    );
  }
  const made: Made[] = [];
  for (const wanted of types) {
    if (made.length >= count) break;
    if (!isOnOffer(run, wanted.type)) continue;
    run.progress(`Trying ${wanted.type} for ${count - made.length} instance(s)...\n`);
    let failed = false;
    for (let left = count - made.length; left > 0; left--) {
      const fullName = count > 1 ? `${name}-${made.length + 1}` : name;
      run.progress(`[Worker 1] Trying ${wanted.type} for instance '${fullName}'...\n`);
      try {
        const instance = await post(run, flags, session, orgId, fullName, wanted);
        run.progress(`[Worker 1] ${wanted.type} Success! Created instance '${fullName}'\n`);
        made.push({ name: fullName, id: instance.id, type: wanted.type });
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        if (error.message.includes('duplicate workspace')) {
          throw new CliError(
            `Error: workspace '${fullName}' already exists. Use a different name or delete the existing workspace`,
          );
        }
        run.progress(
          `[Worker 1] ${wanted.type} Failed: ${traced(error.message, 'cmd/gpucreate.createWorkspaceWithType', 2)}\n`,
        );
        failed = true;
      }
    }
    if (failed) run.progress(`\nType ${wanted.type} had failures, trying next type...\n\n`);
  }
  return made;
}

/** Since 0.6.327 the CLI itself skips what the listing doesn't have; before, the service refused it. */
function isOnOffer(run: Run, type: string): boolean {
  if (!run.since('0.6.327')) return true;
  const problem = problemOf(run, type);
  if (problem === undefined) return true;
  run.progress(`Skipping: ${problem}\n`);
  return false;
}

function problemOf(run: Run, type: string): string | undefined {
  if (findOffer(type) === undefined) {
    return `instance type "${type}" is not a recognized type; run 'brev search' to see available types`;
  }
  const fault = run.fault('no-capacity');
  const soldOut =
    run.cloud().soldOut.includes(type) || (fault !== undefined && (fault.types?.includes(type) ?? true));
  if (!soldOut) return undefined;
  return `instance type "${type}" is currently unavailable (no capacity); try again later or choose another type`;
}

async function post(
  run: Run,
  flags: Flags,
  session: Session,
  orgId: string,
  name: string,
  wanted: WantedType,
): Promise<Instance> {
  const problem = problemOf(run, wanted.type);
  if (problem !== undefined) throw new CliError(problem);
  refusePlacement(run, flags);
  const instance = updateCloud(run.root, (cloud) => {
    const taken = cloud.instances
      .filter((other) => other.orgId === orgId && other.name === name)
      .some((other) => !seeNow(run, cloud, other).sight.gone);
    if (taken || run.fault('name-taken') !== undefined)
      throw new CliError(`duplicate workspace with name ${name}`);
    const fresh = newInstance(cloud, {
      name,
      type: wanted.type,
      orgId,
      owner: session.userId,
      diskGb: wanted.diskGb,
      docker: flags.text('mode') === 'vm',
      motion: deployment(run),
      ...(flags.given('cloud-cred-id') ? { cloudCredId: flags.text('cloud-cred-id') } : {}),
      ...(flags.given('workspace-group-id') ? { workspaceGroupId: flags.text('workspace-group-id') } : {}),
    });
    buildMachine(run.root, cloud, fresh);
    cloud.instances.push(fresh);
    return fresh;
  });
  // The answer is lost on its way, or never comes: the machine exists all the same (contract 5).
  if (run.fault('create-lost') !== undefined)
    throw new CliError(
      'Post "https://brevapi.us-west-2-prod.control-plane.brev.dev/api/organizations/workspaces": unexpected EOF',
    );
  if (run.fault('create-pending') !== undefined)
    await new Promise(() => setInterval(() => undefined, 3_600_000));
  return instance;
}

function deployment(run: Run): Motion {
  const failure = run.fault('machine-failure');
  if (failure !== undefined) {
    return { kind: 'deploy', since: Date.now(), outcome: 'failure', message: failure.message ?? '' };
  }
  return {
    kind: 'deploy',
    since: Date.now(),
    outcome: run.fault('never-ready') === undefined ? 'ok' : 'never',
  };
}

function reportShort(run: Run, made: Made[], wanted: number): never {
  run.progress(`\nWarning: Only created ${made.length}/${wanted} instances\n`);
  if (made.length > 0) {
    run.progress('Successfully created instances:\n');
    for (const { name, id } of made) run.progress(`  - ${name} (ID: ${id})\n`);
  }
  throw new CliError(`could only create ${made.length}/${wanted} instances`);
}

async function waitForAll(run: Run, flags: Flags, made: Made[]): Promise<void> {
  run.progress('\nWaiting for instance(s) to be ready...\nYou can safely ctrl+c to exit\n');
  for (const { name, id } of made) {
    run.progress(`  ${name}: ${await waitForOne(run, name, id, flags.number('timeout') * 1_000)}\n`);
  }
}

/** Looks at the status only, every 5 s; whatever it sees, the exit code stays 0. */
async function waitForOne(run: Run, name: string, id: string, limitMs: number): Promise<string> {
  for (let waited = 0; waited < limitMs; waited += 5_000) {
    const cloud = run.cloud();
    const instance = cloud.instances.find((candidate) => candidate.id === id);
    if (instance === undefined) return 'workspace not found';
    const { status, statusMessage } = seeNow(run, cloud, instance).sight;
    if (status === 'RUNNING') return 'Ready';
    if (status === 'FAILURE')
      return `instance ${name} failed${statusMessage === '' ? '' : `: ${statusMessage}`}`;
    await run.sleep(Math.min(5_000, limitMs - waited));
  }
  return 'Timeout waiting for ready state';
}

function report(run: Run, made: Made[]): void {
  if (run.piped) {
    run.out(made.map(({ name }) => `${name}\n`).join(''));
    return;
  }
  run.out(`\nSuccessfully created ${made.length} instance(s)!\n\n`);
  for (const { name, id, type } of made) {
    run.out(
      `Instance: ${name}\n  ID: ${id}\n  Type: ${type}\n  Connect:\n    brev open ${name}\n    brev shell ${name}\n\n`,
    );
  }
}
