import type { Org } from '../cloud/state.ts';
import { CliError } from './errors.ts';
import { textField } from './fields.ts';
import type { Run } from './run.ts';
import type { Session } from './session.ts';
import { parseLikeGo, readBrevFile, writeBrevFile } from './user-files.ts';

/** The org that commands act on: the cached one, or silently another where that is gone (contract 3). */
export function activeOrg(run: Run, session: Session): Org | undefined {
  const { orgs } = run.cloud();
  if (session.apiKeyOrg !== undefined) return orgs.find((org) => org.id === session.apiKeyOrg) ?? orgs[0];
  const cached = cachedOrgId(run);
  const gone = run.fault('org-gone') !== undefined;
  const found = gone ? undefined : orgs.find((org) => org.id === cached);
  return found ?? orgs.find((org) => org.id !== cached) ?? orgs[0];
}

/** As `activeOrg`, for commands that can't do without. */
export function requireOrg(run: Run, session: Session): Org {
  const org = activeOrg(run, session);
  if (org === undefined) throw new CliError('no orgs exist');
  return org;
}

/** Makes an org the active one for later calls. */
export function storeActiveOrg(run: Run, org: Org): void {
  writeBrevFile(run, 'active_org.json', JSON.stringify({ ...org, userNetworkId: '' }));
}

/** Names are matched without regard to case; ids are not accepted. */
export function orgNamed(run: Run, name: string): Org | undefined {
  return run.cloud().orgs.find((org) => org.name.toLowerCase() === name.toLowerCase());
}

function cachedOrgId(run: Run): string | undefined {
  const text = readBrevFile(run, 'active_org.json');
  if (text === undefined) return undefined;
  return textField(parseLikeGo(text), 'id');
}
