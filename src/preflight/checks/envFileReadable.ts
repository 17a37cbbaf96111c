import { message } from '../../values/message.ts';
import { type Check, LOCAL_LIMIT_MS, notPassed, passed } from './check.ts';

/** Can the env file be read, and by its owner alone. */
export const envFileReadable: Check = {
  id: 'envFile',
  title: message('File with keys'),
  limitMs: LOCAL_LIMIT_MS,
  run: async (context) => {
    const read = await context.envFile();
    switch (read.kind) {
      case 'cancelled':
        return notPassed('unknown', message('Not checked.'));
      case 'failed':
        return notPassed('failed', read.failure.message);
      case 'ok':
        break;
    }
    const { path, exists, mode, tooOpen, ignoredLines } = read.value;
    if (!exists) {
      return notPassed(
        'skipped',
        message('There is no {0}. It is made when something is stored in it.', path),
      );
    }
    if (tooOpen) {
      return notPassed(
        'warning',
        message(
          'Others on this machine can reach {0}: its mode is {1} and should be 600.',
          path,
          (mode ?? 0).toString(8),
        ),
        {
          kind: 'chmod',
          title: message('Make It Yours Alone'),
          path,
          mode: 0o600,
        },
      );
    }
    const [ignored] = ignoredLines;
    return ignored === undefined
      ? passed(message('{0} is readable, and yours alone.', path))
      : notPassed(
          'warning',
          message('Line {1} of {0} is not of the form KEY=VALUE and does nothing.', path, ignored),
        );
  },
};
