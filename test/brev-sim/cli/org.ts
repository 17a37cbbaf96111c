import { CliError } from './errors.ts';
import { goJson } from './ls.ts';
import { activeOrg, orgNamed, requireOrg, storeActiveOrg } from './orgs.ts';
import type { Invocation, Run } from './run.ts';
import { type Session, signIn } from './session.ts';
import { table } from './table.ts';

/** `brev set NAME`: silent. */
export async function setOrg({ run, args }: Invocation): Promise<void> {
  activate(run, args[0] ?? '');
}

/** `brev org set NAME` */
export async function orgSet({ run, args }: Invocation): Promise<void> {
  run.out(`\nOrg ${activate(run, args[0] ?? '')} is now active 🤙\n`);
}

/** `brev org`, `brev org ls`: a table only. */
export async function listOrgs({ run }: Invocation): Promise<void> {
  printOrgs(run, signIn(run), false);
}

/** `brev orgs --json` of the TAO dialect: rows carry the cloud credentials. */
export async function taoOrgs({ run }: Invocation): Promise<void> {
  const active = activeOrg(run, signIn(run));
  const { orgs, placement } = run.cloud();
  const rows = orgs.map(({ id, name }) => ({
    id,
    name,
    is_active: id === active?.id,
    cloudCredentials: placement.cloudCredentials,
  }));
  run.out(`${goJson(rows)}\n`);
}

/** `brev ls orgs [--json]` */
export function printOrgs(run: Run, session: Session, asJson: boolean): void {
  if (session.apiKeyOrg !== undefined) throw new CliError('api key auth cannot list organizations');
  const active = requireOrg(run, session);
  const { orgs } = run.cloud();
  if (asJson) {
    run.out(`${goJson(orgs.map(({ id, name }) => ({ name, id, is_active: id === active.id })))}\n`);
    return;
  }
  run.out(
    `Your organizations:\n${table(
      ['NAME', 'ID'],
      orgs.map(({ id, name }) => [`${id === active.id ? '* ' : ''}${name}`, id]),
    )}`,
  );
}

function activate(run: Run, name: string): string {
  signIn(run);
  const org = orgNamed(run, name);
  if (org === undefined) throw new CliError(`no orgs exist with name ${name}`);
  storeActiveOrg(run, org);
  return org.name;
}
