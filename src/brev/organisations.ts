import * as z from 'zod/mini';
import { message } from '../values/message.ts';
import { failed, type Outcome, ok } from '../values/outcome.ts';
import { type BrevCommand, type CommandOutput, nothing, SECOND } from './command.ts';
import type { Dialect } from './dialect.ts';
import { readJson, readRows } from './jsonAnswer.ts';

const cloudCredential = z.object({
  id: z.string().check(z.minLength(1)),
  name: z.optional(z.string()),
});

/** A cloud account that an organisation's instances can run in. */
export type CloudCredential = z.infer<typeof cloudCredential>;

const organisationRow = z.object({
  id: z.string(),
  name: z.catch(z.string(), ''),
  is_active: z.catch(z.boolean(), false),
  /** Only in the second dialect (brev-cli.md part 17). An unreadable list must not hide the organisation. */
  cloudCredentials: z.catch(z.array(cloudCredential), []),
});

export type OrganisationRow = z.infer<typeof organisationRow>;

/** The organisations of the account. */
export function listOrganisations(
  dialect: Pick<Dialect, 'organisationsArgs'>,
): BrevCommand<readonly OrganisationRow[]> {
  return {
    name: 'orgs',
    args: dialect.organisationsArgs,
    timeoutMs: 30 * SECOND,
    readOnly: true,
    parse: parseOrganisations,
  };
}

function parseOrganisations({ stdout }: CommandOutput): Outcome<readonly OrganisationRow[]> {
  const answer = readJson(stdout);
  if (answer.kind === 'unreadable' || !Array.isArray(answer.value)) {
    return failed({
      kind: 'unreadableAnswer',
      message: message('The list of organisations could not be read.'),
      action: 'showLog',
      retrySafe: true,
      detail: stdout.slice(0, 2_000),
    });
  }
  return ok(readRows(answer.value, organisationRow).rows);
}

/** Makes an organisation the active one. The CLI takes its name, whatever the case, and prints nothing. */
export function setOrganisation(name: string): BrevCommand<void> {
  return { name: 'set', args: ['set', name], timeoutMs: 30 * SECOND, readOnly: false, parse: nothing };
}
