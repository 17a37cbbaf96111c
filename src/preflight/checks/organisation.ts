import { listOrganisations, type OrganisationRow } from '../../brev/organisations.ts';
import { message } from '../../values/message.ts';
import { CALL_LIMIT_MS, type Check, type CheckResult, notPassed, passed } from './check.ts';
import { command, fixFor } from './fix.ts';
import { signedIn } from './signedIn.ts';

/** Which organisation pays. */
export const organisation: Check = {
  id: 'organisation',
  title: message('Organisation'),
  after: { id: signedIn.id, otherwise: message('Checked once you are signed in.') },
  limitMs: CALL_LIMIT_MS,
  run: async (context, signal) => {
    const dialect = await context.dialect();
    const rows =
      dialect.kind === 'ok' ? await context.brev.execute(listOrganisations(dialect.value), signal) : dialect;
    switch (rows.kind) {
      case 'ok':
        return judge(rows.value);
      case 'cancelled':
        return notPassed('unknown', message('Not checked.'));
      case 'failed':
        switch (rows.failure.kind) {
          case 'apiKeyLimited':
            return passed(message('The one that your API key belongs to; such a key cannot tell its name.'));
          case 'noOrganisation':
            return judge([]);
          default:
            return notPassed('unknown', rows.failure.message, fixFor(rows.failure));
        }
    }
  },
};

function judge(rows: readonly OrganisationRow[]): CheckResult {
  const [first] = rows;
  if (first === undefined) {
    return notPassed(
      'failed',
      message('This account belongs to no organisation. Make one in the Brev console, or ask to be added.'),
      command(message('Open the Brev Console'), 'brev.openConsole'),
    );
  }
  const active = rows.find((row) => row.is_active) ?? (rows.length === 1 ? first : undefined);
  return active === undefined
    ? notPassed(
        'warning',
        // without an active one the CLI silently takes another (brev-cli.md part 3)
        message('None of your {0} organisations is the active one: the CLI picks one itself.', rows.length),
        command(message('Choose the Organisation…'), 'brev.switchOrganisation'),
      )
    : passed(message('{0}.', active.name === '' ? active.id : active.name));
}
