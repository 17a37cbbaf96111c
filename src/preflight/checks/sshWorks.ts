import path from 'node:path';
import { cliEnvironment } from '../../brev/environment.ts';
import { message } from '../../values/message.ts';
import {
  type Check,
  type CheckContext,
  type CheckResult,
  HELP_LIMIT_MS,
  notPassed,
  passed,
} from './check.ts';
import { type Fix, runBrev } from './fix.ts';
import { inclusionOf } from './sshConfig.ts';

const ASK_LIMIT_MS = 10_000;

/** Is there an ssh, and does it know the instances. The user's ssh configuration is only read. */
export const sshWorks: Check = {
  id: 'ssh',
  title: message('SSH'),
  limitMs: HELP_LIMIT_MS,
  run: async (context, signal) => {
    const asked = await context.run('ssh', {
      args: ['-V'],
      env: cliEnvironment(context.environment),
      timeoutMs: ASK_LIMIT_MS,
      signal,
    });
    switch (asked.kind) {
      case 'ok':
        return configured(context);
      case 'notFound':
        return notPassed('failed', message('There is no ssh program on the PATH; the Brev CLI needs one.'), {
          kind: 'openUrl',
          title: message('How to Install SSH'),
          url: 'https://code.visualstudio.com/docs/remote/troubleshooting#_installing-a-supported-ssh-client',
        });
      case 'notExecutable':
      case 'failed':
        return notPassed('failed', message('The ssh program on the PATH does not work.'));
      case 'timedOut':
      case 'cancelled':
        return notPassed('unknown', message('ssh gave no answer.'));
    }
  },
};

async function configured(context: CheckContext): Promise<CheckResult> {
  const { files, home } = context;
  const own = path.join(home, '.brev', 'ssh_config');
  if ((await files.readText(own)) === undefined) {
    return notPassed(
      'warning',
      message('The Brev CLI has not written its SSH settings yet ({0}).', own),
      await refresh(context),
    );
  }
  const users = path.join(home, '.ssh', 'config');
  switch (inclusionOf(own, (await files.readText(users)) ?? '', home)) {
    case 'always':
      return passed(message('ssh knows the instances by their names.'));
    case 'forSomeHosts':
      return notPassed(
        'warning',
        message(
          '{0} includes the SSH settings of the Brev CLI inside a Host or Match block, where they do nothing for the instances. Move that line to the top.',
          users,
        ),
      );
    case 'no':
      return notPassed(
        'warning',
        message('{0} does not include the SSH settings of the Brev CLI.', users),
        await refresh(context),
      );
  }
}

/** Offered only where there is a CLI that can do it. */
async function refresh(context: CheckContext): Promise<Fix | undefined> {
  const cli = await context.locate();
  return cli.kind === 'ok' ? runBrev(message('Write the SSH Settings'), 'refresh') : undefined;
}
