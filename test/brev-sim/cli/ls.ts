import { findOffer } from '../cloud/offers.ts';
import { updateCloud } from '../cloud/state.ts';
import { CliError } from './errors.ts';
import { instancesOf, isOwn, type Seen } from './instances.ts';
import { orgNamed, requireOrg } from './orgs.ts';
import type { Invocation, Run } from './run.ts';
import { type Session, signIn } from './session.ts';
import { table } from './table.ts';

/** `brev ls [orgs|instances|workspaces|nodes] [--json]` */
export async function ls(call: Invocation): Promise<void> {
  const { run, flags, args } = call;
  if (args.length > 1) throw new CliError('too many args provided');
  const session = signIn(run);
  const what = args[0] ?? 'instances';
  switch (what) {
    case 'orgs':
    case 'organizations':
    case 'org': {
      const { printOrgs } = await import('./org.ts');
      printOrgs(run, session, flags.on('json'));
      return;
    }
    case 'instances':
    case 'instance':
    case 'workspaces':
    case 'workspace':
      listInstances(call, session);
      return;
    case 'nodes':
    case 'node':
      listNodes(run, flags.on('json'));
      return;
    default:
      return; // any other word: nothing at all, exit 0 (contract 3)
  }
}

function listInstances({ run, flags }: Invocation, session: Session): void {
  const wanted = flags.text('org');
  const org = wanted === '' ? requireOrg(run, session) : orgNamed(run, wanted);
  if (org === undefined) throw new CliError(`no org found with name ${wanted}`);
  // An answer that isn't JSON counts as empty data.
  const blind = run.fault('html') !== undefined;
  const seen = instancesOf(run, org).filter((entry) => flags.on('all') || isOwn(session, entry));
  const rows = blind ? [] : seen.map((entry) => rowOf(run, entry));
  countList(run, seen);
  if (flags.on('json')) printJson(run, rows, flags.on('all'));
  else if (rows.length === 0)
    run.out(`No instances in org ${org.name}\n\nStart a new instance:\n\tbrev create <name>\n`);
  else printTable(run, rows, org.name);
}

interface Row {
  name: string;
  id: string;
  status: string;
  build_status: string;
  shell_status: string;
  health_status: string;
  instance_type: string;
  instance_kind: string;
  gpu: string;
  workspaceGroupId?: string;
}

function rowOf(run: Run, { instance, sight }: Seen): Row {
  const raw = instance.cycle?.[0] ?? sight.status;
  const offer = run.fault('types-down') === undefined ? findOffer(instance.type) : undefined;
  const ready = raw === 'RUNNING' && sight.buildStatus === 'COMPLETED';
  return {
    name: instance.name,
    id: instance.id,
    status: raw === 'RUNNING' && sight.healthStatus === 'UNHEALTHY' ? 'UNHEALTHY' : raw,
    build_status: sight.buildStatus,
    shell_status: instance.shellStatus ?? (ready ? 'READY' : 'NOT READY'),
    health_status: sight.healthStatus,
    instance_type: instance.type,
    // Both come from the types list: without it everything is a "cpu" (contract 3).
    instance_kind: instance.kind ?? (offer !== undefined && offer.gpu_count > 0 ? 'gpu' : 'cpu'),
    gpu: instance.gpu ?? (offer === undefined || offer.gpu_count === 0 ? '-' : offer.gpu_name),
    ...(run.dialect === 'tao' ? { workspaceGroupId: instance.workspaceGroupId } : {}),
  };
}

/** Some instances change with each look at the list. */
function countList(run: Run, seen: Seen[]): void {
  const ids = seen
    .filter(({ instance }) => instance.cycle !== undefined || instance.motion?.kind === 'delete')
    .map(({ instance }) => instance.id);
  if (ids.length === 0) return;
  updateCloud(run.root, (cloud) => {
    for (const instance of cloud.instances.filter((candidate) => ids.includes(candidate.id))) {
      const [shown, ...others] = instance.cycle ?? [];
      if (shown !== undefined) instance.cycle = [...others, shown];
      if (instance.motion?.kind === 'delete' && instance.motion.lists !== undefined) instance.motion.lists--;
    }
  });
}

function printJson(run: Run, rows: Row[], all: boolean): void {
  const workspaces = rows.length === 0 ? null : rows;
  if (!run.since('0.6.323')) {
    run.out(`${goJson(workspaces)}\n`);
    return;
  }
  const nodes = all && run.fault('nodes-down') === undefined ? run.cloud().nodes : [];
  run.out(`${goJson(nodes.length > 0 ? { workspaces, nodes } : { workspaces })}\n`);
}

function listNodes(run: Run, asJson: boolean): void {
  if (run.fault('nodes-down') !== undefined) {
    throw new CliError('unavailable: dial tcp 127.0.0.1:443: connect: connection refused');
  }
  const { nodes } = run.cloud();
  if (asJson) run.out(`${goJson(nodes)}\n`);
  else if (nodes.length === 0) run.out('No external nodes\n');
  else
    run.out(
      table(
        ['NAME', 'STATUS'],
        nodes.map((node) => [node.name, node.status]),
      ),
    );
}

function printTable(run: Run, rows: Row[], org: string): void {
  run.out(`You have ${rows.length} instances in Org ${org}\n`);
  run.out(
    table(
      ['NAME', 'STATUS', 'BUILD', 'SHELL', 'ID', 'MACHINE', 'GPU'],
      rows.map((row) => [
        row.name,
        row.status,
        row.build_status,
        row.shell_status,
        row.id,
        row.instance_type,
        row.gpu,
      ]),
    ),
  );
}

/** Go escapes these for HTML's sake. */
export function goJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
