import { type Instance, look, type Sight } from '../cloud/instance.ts';
import { type Cloud, type Org, updateCloud } from '../cloud/state.ts';
import { CliError, traced } from './errors.ts';
import type { Run } from './run.ts';
import type { Session } from './session.ts';

export interface Seen {
  instance: Instance;
  sight: Sight;
}

/** An instance as it is now. */
export function seeNow(run: Run, cloud: Cloud, instance: Instance): Seen {
  return { instance, sight: look(instance, Date.now(), run.speed, cloud.timings) };
}

/** All instances of an org that still exist, in the server's order. */
export function instancesOf(run: Run, org: Org): Seen[] {
  const cloud = run.cloud();
  return cloud.instances
    .filter((instance) => instance.orgId === org.id)
    .map((instance) => seeNow(run, cloud, instance))
    .filter(({ sight }) => !sight.gone);
}

/** May this session act on the instance (own or shared; an API key: the whole org)? */
export function isOwn(session: Session, { instance }: Seen): boolean {
  return session.apiKeyOrg !== undefined || instance.owner === session.userId || instance.shared;
}

/** The first own instance of that name, else of that id; names are exact. */
export function findOwn(run: Run, session: Session, org: Org, nameOrId: string): Seen | undefined {
  const own = instancesOf(run, org).filter((seen) => isOwn(session, seen));
  return (
    own.find(({ instance }) => instance.name === nameOrId) ??
    own.find(({ instance }) => instance.id === nameOrId)
  );
}

export function notFound(nameOrId: string): CliError {
  return new CliError(
    traced(`instance with id/name ${nameOrId} not found`, 'cmd/util.GetUserWorkspaceByNameOrIDErr', 2),
  );
}

/** Changes one instance; false where it has gone meanwhile. */
export function changeInstance(run: Run, id: string, change: (instance: Instance) => void): boolean {
  return updateCloud(run.root, (cloud) => {
    const instance = cloud.instances.find((candidate) => candidate.id === id);
    if (instance === undefined) return false;
    change(instance);
    return true;
  });
}
