import path from 'node:path';
import { OLDEST_VERSION } from '../../brev/dialect.ts';
import { message } from '../../values/message.ts';
import { type Check, HELP_LIMIT_MS, notPassed, passed } from './check.ts';
import { command, runBrev } from './fix.ts';

const SKILL = path.join('.claude', 'skills', 'brev-cli');

/** Do AI coding agents know the CLI. Seen by its folder: bare `brev agent-skill` would install (brev-cli.md part 10). */
export const agentSkill: Check = {
  id: 'agentSkill',
  title: message('Agent skill'),
  limitMs: HELP_LIMIT_MS,
  run: async ({ home, workspaceFolders, files, dialect }) => {
    for (const folder of [home, ...workspaceFolders()]) {
      const skill = path.join(folder, SKILL);
      if (await files.isFolder(skill)) {
        return passed(message('Installed: {0}.', skill));
      }
    }
    const missing = message('Not installed: AI coding agents on this machine do not know the Brev CLI.');
    const cli = await dialect();
    if (cli.kind !== 'ok') {
      return notPassed('warning', missing);
    }
    return cli.value.commands.has('agent-skill')
      ? notPassed('warning', missing, runBrev(message('Install the Agent Skill'), 'agent-skill', 'install'))
      : notPassed(
          'warning',
          message(
            'Not installed, and the installed Brev CLI has none; it came with {0}.',
            OLDEST_VERSION.text,
          ),
          command(message('How to Update'), 'brev.installCli'),
        );
  },
};
