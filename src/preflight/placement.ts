import type { Brev } from '../brev/brev.ts';
import type { Placement } from '../brev/create.ts';
import { ls } from '../brev/ls.ts';
import { type CloudCredential, listOrganisations } from '../brev/organisations.ts';
import type { Clock } from '../process/clock.ts';
import type { Failure } from '../values/failure.ts';
import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import { type EnvFile, setValues } from './envFile.ts';

const CREDENTIAL_KEY = 'BREV_CLOUD_CRED_ID';
const GROUP_KEY = 'BREV_WORKSPACE_GROUP_ID';

/** What the installed CLI can tell about where an instance can run. */
export type PlacementChoices =
  /** It takes no placement, so none is asked for. */
  | { readonly kind: 'notNeeded' }
  | {
      readonly kind: 'needed';
      /** Of the active organisation; empty where the CLI doesn't tell: then the id is typed in. */
      readonly cloudCredentials: readonly CloudCredential[];
      /** Of the instances that exist, the default first; empty where there are none. */
      readonly workspaceGroupIds: readonly string[];
      /** Why the cloud credentials could not be listed. */
      readonly problem?: Failure;
    };

/** Where a user finds the two ids when the CLI doesn't tell them. */
export const whereToFindPlacement = {
  sentence: message(
    "The Brev console shows both on the organisation's page: the cloud credential with its id, and the workspace group.",
  ),
  url: 'https://brev.nvidia.com/org',
};

/** Asks the CLI for the placements of the account; one call after the other, as the first may sign in. */
export async function findPlacements(
  brev: Pick<Brev, 'execute' | 'dialect'>,
  signal?: AbortSignal,
): Promise<Outcome<PlacementChoices>> {
  const dialect = await brev.dialect();
  if (dialect.kind !== 'ok') {
    return dialect;
  }
  if (!dialect.value.placementFlags) {
    return ok({ kind: 'notNeeded' });
  }
  const instances = await brev.execute(ls(), signal);
  if (instances.kind !== 'ok') {
    return instances;
  }
  const organisations = await brev.execute(listOrganisations(dialect.value), signal);
  if (organisations.kind === 'cancelled') {
    return organisations;
  }
  const rows = organisations.kind === 'ok' ? organisations.value : [];
  const active = rows.find((row) => row.is_active) ?? rows[0];
  const groups = instances.value.rows.flatMap((row) => row.workspaceGroupId ?? []);
  return ok({
    kind: 'needed',
    cloudCredentials: uniqueById(active?.cloudCredentials ?? []),
    workspaceGroupIds: [...new Set(groups.filter(isPlacementId))],
    ...(organisations.kind === 'failed' ? { problem: organisations.failure } : {}),
  });
}

/** The placement that was stored; undefined when one of its two parts is missing. */
export function readPlacement(envFile: Pick<EnvFile, 'values'>): Placement | undefined {
  const cloudCredId = envFile.values.get(CREDENTIAL_KEY)?.trim() ?? '';
  const workspaceGroupId = envFile.values.get(GROUP_KEY)?.trim() ?? '';
  return isPlacementId(cloudCredId) && isPlacementId(workspaceGroupId)
    ? { cloudCredId, workspaceGroupId }
    : undefined;
}

/** Keeps the placement for every later create, in the env file that the TAO tools read too. */
export async function storePlacement(
  envFile: string,
  placement: Placement,
  clock?: Clock,
): Promise<Outcome<void>> {
  const cloudCredId = placement.cloudCredId.trim();
  const workspaceGroupId = placement.workspaceGroupId.trim();
  for (const id of [cloudCredId, workspaceGroupId]) {
    if (!isPlacementId(id)) {
      return failed({
        kind: 'placementNeeded',
        message: message('{0} cannot be an id of a cloud credential or workspace group.', JSON.stringify(id)),
        action: 'pickPlacement',
        retrySafe: true,
      });
    }
  }
  return setValues(envFile, { [CREDENTIAL_KEY]: cloudCredId, [GROUP_KEY]: workspaceGroupId }, clock);
}

/** Whether a text that a user typed or a file holds can be such an id: it stands on the CLI's command line. */
export function isPlacementId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,199}$/.test(text);
}

function uniqueById(credentials: readonly CloudCredential[]): readonly CloudCredential[] {
  const usable = credentials.filter(({ id }) => isPlacementId(id));
  return [...new Map(usable.map((credential) => [credential.id, credential])).values()];
}
