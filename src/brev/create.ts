import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import { type BrevCommand, MINUTE, nothing } from './command.ts';
import type { Dialect } from './dialect.ts';
import { isUsableName } from './instanceName.ts';

/** A type to create, and its GPUs for the dialect that wants `L40S:1`. */
export interface CreateType {
  readonly type: string;
  readonly gpu: { readonly name: string; readonly count: number } | undefined;
}

/** Where an account with several cloud credentials or workspace groups wants its instances. */
export interface Placement {
  readonly cloudCredId: string;
  readonly workspaceGroupId: string;
}

/** What to create: the types are tried in this order. */
export interface CreateRequest {
  readonly name: string;
  /** Never empty: without a type the CLI picks one itself, up to the dearest (brev-cli.md part 5). */
  readonly types: readonly [CreateType, ...CreateType[]];
}

/** A launchable to deploy, by its id; `create --launchable` was not measured (brev-cli.md part 5). */
export interface LaunchableRequest {
  readonly name: string;
  readonly launchable: string;
}

/**
 * Asks for a new instance and returns once the request is accepted: exit 0 means nothing more.
 * Detached, because waiting would only watch RUNNING, which comes long before an exec works.
 */
export function create(
  request: CreateRequest,
  dialect: Pick<Dialect, 'createBy' | 'placementFlags'>,
  placement?: Placement,
): Outcome<BrevCommand<void>> {
  if (!isUsableName(request.name)) {
    return unusableName(request.name);
  }
  const what = whatArguments(request.types, dialect.createBy);
  if (what.kind !== 'ok') {
    return what;
  }
  const where =
    placement !== undefined && dialect.placementFlags
      ? ['--cloud-cred-id', placement.cloudCredId, '--workspace-group-id', placement.workspaceGroupId]
      : [];
  return ok({
    name: 'create',
    args: ['create', request.name, ...what.value, ...where, '--detached'],
    timeoutMs: 3 * MINUTE,
    readOnly: false,
    parse: nothing,
  });
}

/**
 * Asks for what a launchable describes: it decides itself which machine that is. Never by `start`, which panics on its
 * address (users.md A, #391).
 */
export function deploy(
  request: LaunchableRequest,
  dialect: Pick<Dialect, 'launchables'>,
): Outcome<BrevCommand<void>> {
  if (!isUsableName(request.name)) {
    return unusableName(request.name);
  }
  if (!dialect.launchables) {
    return failed({
      kind: 'unsupportedFlag',
      message: message(
        'The installed Brev CLI cannot deploy launchables: that came with 0.6.323. Update it.',
      ),
      action: 'openInstallPage',
      retrySafe: true,
    });
  }
  return ok({
    name: 'create',
    args: ['create', request.name, '--launchable', request.launchable, '--detached'],
    timeoutMs: 3 * MINUTE,
    readOnly: false,
    parse: nothing,
  });
}

/** The id in what was pasted: an id itself, or the address of a launchable's page; undefined for anything else. */
export function launchableId(text: string): string | undefined {
  const pasted = text.trim();
  const id = URL.canParse(pasted) ? new URL(pasted).searchParams.get('launchableID') : pasted;
  return id !== null && /^env-[A-Za-z0-9]+$/.test(id) ? id : undefined;
}

function unusableName(name: string): Outcome<never> {
  return failed({
    kind: 'unusableName',
    message: message(
      'Brev takes no name like {0}: it has up to 63 letters, digits, hyphens, underscores and dots, the first a letter or digit.',
      JSON.stringify(name),
    ),
    retrySafe: true,
  });
}

function whatArguments(
  types: CreateRequest['types'],
  createBy: Dialect['createBy'],
): Outcome<readonly string[]> {
  const [first] = types;
  // with a type that is none the CLI would choose one itself
  const odd = types.find(({ type }) => !/^[A-Za-z0-9][^\s,]*$/.test(type));
  if (odd !== undefined) {
    return failed({
      kind: 'unknownType',
      message: message(
        'Brev does not know the instance type {0}. Pick one from the list.',
        JSON.stringify(odd.type),
      ),
      action: 'pickOffer',
      retrySafe: true,
    });
  }
  switch (createBy) {
    case '--type':
      return ok(['--type', types.map(({ type }) => type).join(',')]);
    case '--gpu':
      if (first.gpu !== undefined) {
        return ok(['--gpu', `${first.gpu.name}:${first.gpu.count}`]);
      }
      break;
    case undefined:
      break;
  }
  return failed({
    kind: 'unsupportedFlag',
    message: message('The installed Brev CLI cannot be told to create {0}. Update it.', first.type),
    action: 'openInstallPage',
    retrySafe: true,
  });
}
