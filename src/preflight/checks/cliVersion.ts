import { atLeast, type Dialect, OLDEST_VERSION, type Version } from '../../brev/dialect.ts';
import { type Message, message } from '../../values/message.ts';
import { type Check, type CheckResult, HELP_LIMIT_MS, notPassed, passed } from './check.ts';
import { cliFound } from './cliFound.ts';
import { command, type Fix, fixFor, runBrev } from './fix.ts';

/** Is the CLI's version good enough, and what have later ones. */
export const cliVersion: Check = {
  id: 'version',
  title: message('Version of the Brev CLI'),
  after: { id: cliFound.id, otherwise: message('Checked once the Brev CLI is found.') },
  limitMs: HELP_LIMIT_MS,
  run: async (context) => {
    const dialect = await context.dialect();
    switch (dialect.kind) {
      case 'ok':
        return judge(dialect.value);
      case 'failed':
        return notPassed('failed', dialect.failure.message, fixFor(dialect.failure));
      case 'cancelled':
        return notPassed('unknown', message('Not checked.'));
    }
  },
};

function judge({ version, commands }: Dialect): CheckResult {
  if (commands.size === 0) {
    return notPassed(
      'failed',
      message('The program that was found does not answer like the Brev CLI.'),
      command(message('Choose Its Path…'), 'brev.choosePath'),
    );
  }
  if (version === undefined) {
    return notPassed(
      'warning',
      message(
        'It does not tell its version. {0} is the oldest that has search, exec and JSON lists.',
        OLDEST_VERSION.text,
      ),
    );
  }
  if (!atLeast(version, [0, 6, 320])) {
    return notPassed('warning', missing(version), upgrade(commands));
  }
  return passed(missing(version));
}

/** The version, and what the later ones have (brev-cli.md part 14). */
function missing(version: Version): Message {
  if (!atLeast(version, [0, 6, 320])) {
    return message(
      'Version {0}: every command on an instance takes at least 5 seconds. 0.6.320 is faster, 0.6.323 deploys launchables, 0.6.324 signs in by API key, and 0.6.327 says clearly which types are sold out.',
      version.text,
    );
  }
  if (!atLeast(version, [0, 6, 323])) {
    return message(
      'Version {0}. Launchables came with 0.6.323, sign-in by API key with 0.6.324, and clear words for sold-out types with 0.6.327.',
      version.text,
    );
  }
  if (!atLeast(version, [0, 6, 324])) {
    return message(
      'Version {0}. Sign-in by API key came with 0.6.324, and clear words for sold-out types with 0.6.327.',
      version.text,
    );
  }
  return atLeast(version, [0, 6, 327])
    ? message('Version {0}.', version.text)
    : message('Version {0}. Clear words for sold-out types came with 0.6.327.', version.text);
}

function upgrade(commands: ReadonlySet<string>): Fix {
  return commands.has('upgrade')
    ? runBrev(message('Update the Brev CLI'), 'upgrade')
    : command(message('How to Update'), 'brev.installCli');
}
