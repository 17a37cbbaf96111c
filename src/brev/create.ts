import { type BrevCommand, MINUTE, nothing } from './command.ts';

/** What to create: the types are tried in this order. */
export interface CreateRequest {
  readonly name: string;
  /** Never empty: without a type the CLI picks one itself, up to the dearest (brev-cli.md part 5). */
  readonly types: readonly [string, ...string[]];
}

/**
 * Asks for a new instance and returns once the request is accepted: exit 0 means nothing more.
 * Detached, because waiting would only watch RUNNING, which comes long before an exec works.
 */
export function create(request: CreateRequest): BrevCommand<void> {
  return {
    name: 'create',
    args: ['create', request.name, '--type', request.types.join(','), '--detached'],
    timeoutMs: 3 * MINUTE,
    readOnly: false,
    parse: nothing,
  };
}
