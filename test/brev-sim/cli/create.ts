import { checkName, readStartupScript, type WantedType, wantedTypes } from './create-options.ts';
import { CliError, traced } from './errors.ts';
import type { Flags } from './flags.ts';
import { seeNow } from './instances.ts';
import { type Order, placeOrder, problemWith } from './order.ts';
import { requireOrg } from './orgs.ts';
import type { Invocation, Run } from './run.ts';
import { signIn } from './session.ts';

type Made = { name: string; id: string; type: string };

/** `brev create NAME`: exit 0 means that the request was accepted, no more. */
export async function create(call: Invocation): Promise<void> {
  const { run, flags, args } = call;
  const name = args[0] ?? flags.text('name');
  if (!flags.on('dry-run') || name !== '') checkName(run, name);
  const types = await wantedTypes(call);
  if (flags.on('dry-run')) {
    run.out(
      `${types.map(({ type, diskGb }) => (diskGb === undefined ? type : `${type} (${diskGb}GB disk)`)).join(', ')}\n`,
    );
    return;
  }
  readStartupScript(flags);
  if (flags.number('count') < 1) throw new CliError('--count must be at least 1');
  const session = signIn(run);
  const order: Order = { run, flags, userId: session.userId, orgId: requireOrg(run, session).id };
  const made = await tryTypes(order, name, types);
  const wanted = flags.number('count');
  if (made.length < wanted) reportShort(run, made, wanted);
  if (!flags.on('detached')) await waitForAll(run, flags, made);
  report(run, made);
}

async function tryTypes(order: Order, name: string, types: WantedType[]): Promise<Made[]> {
  const { run, flags } = order;
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
    if (!isListed(run, wanted.type)) continue;
    run.progress(`Trying ${wanted.type} for ${count - made.length} instance(s)...\n`);
    let failed = false;
    for (let left = count - made.length; left > 0; left--) {
      const fullName = count > 1 ? `${name}-${made.length + 1}` : name;
      run.progress(`[Worker 1] Trying ${wanted.type} for instance '${fullName}'...\n`);
      try {
        const instance = await placeOrder(order, fullName, wanted, made.length);
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
function isListed(run: Run, type: string): boolean {
  if (!run.since('0.6.327')) return true;
  const problem = problemWith(run, type, 0);
  if (problem === undefined) return true;
  run.progress(`Skipping: ${problem}\n`);
  return false;
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
