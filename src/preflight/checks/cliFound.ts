import path from 'node:path';
import { message } from '../../values/message.ts';
import { type Check, LOCAL_LIMIT_MS, notPassed, passed } from './check.ts';
import { fixFor } from './fix.ts';

/** Is the CLI installed, and where. */
export const cliFound: Check = {
  id: 'cli',
  title: message('Brev CLI'),
  limitMs: LOCAL_LIMIT_MS,
  run: async ({ locate, environment }) => {
    const located = await locate();
    switch (located.kind) {
      case 'ok': {
        const folders = (environment.PATH ?? '').split(path.delimiter);
        return passed(
          folders.includes(path.dirname(located.value))
            ? message('Found: {0}.', located.value)
            : message('Found: {0}, which is not on the PATH that VS Code has.', located.value),
        );
      }
      case 'failed':
        return notPassed('failed', located.failure.message, fixFor(located.failure));
      case 'cancelled':
        return notPassed('unknown', message('Not looked for.'));
    }
  },
};
