import { type Message, message } from '../../values/message.ts';
import { type CredentialName, findCredentials, foundIn } from '../credentials.ts';
import { isExpired } from '../session.ts';
import { type Check, type CheckContext, LOCAL_LIMIT_MS, notPassed, passed } from './check.ts';
import { enterCredential, type Fix } from './fix.ts';

interface KeyCheck {
  readonly id: string;
  readonly title: Message;
  readonly name: CredentialName;
  /** What can't be done without it. */
  readonly missing: Message;
  readonly fix: Fix;
}

const token: KeyCheck = {
  id: 'token',
  title: message('Brev token'),
  name: 'BREV_API_TOKEN',
  missing: message(
    'BREV_API_TOKEN is not set. That is fine as long as you sign in with the browser; without it nobody can sign in for you.',
  ),
  fix: enterCredential(message('Enter a Token…'), 'BREV_API_TOKEN'),
};

/** A token for Brev, and not one past its time. */
export const tokenPresent: Check = present(token, (value, now) =>
  isExpired(value, now)
    ? notPassed(
        'warning',
        message('BREV_API_TOKEN is set, but its time is over. Enter a new one.'),
        token.fix,
      )
    : undefined,
);

/** The key for images on nvcr.io. */
export const ngcKeyPresent: Check = present({
  id: 'ngcKey',
  title: message('NGC key'),
  name: 'NGC_KEY',
  missing: message('NGC_KEY is not set: images on nvcr.io that need a login cannot be pulled.'),
  fix: enterCredential(message('Enter the NGC Key…'), 'NGC_KEY'),
});

/** The token for gated models on Hugging Face. */
export const hfTokenPresent: Check = present({
  id: 'hfToken',
  title: message('Hugging Face token'),
  name: 'HF_TOKEN',
  missing: message('HF_TOKEN is not set: gated models on Hugging Face cannot be downloaded.'),
  fix: enterCredential(message('Enter the Hugging Face Token…'), 'HF_TOKEN'),
});

/** The key pair for S3, which is one pair only when both come from one place. */
export const s3KeysPresent: Check = {
  id: 's3Keys',
  title: message('S3 keys'),
  limitMs: LOCAL_LIMIT_MS,
  run: async (context) => {
    const { keys, complete } = await look(context, ['ACCESS_KEY', 'SECRET_KEY']);
    const access = keys.get('ACCESS_KEY');
    const secret = keys.get('SECRET_KEY');
    const fix = enterCredential(
      message('Enter the S3 Keys…'),
      access === undefined ? 'ACCESS_KEY' : 'SECRET_KEY',
    );
    if (access !== undefined && secret !== undefined) {
      return access.source === secret.source
        ? passed(foundIn('ACCESS_KEY, SECRET_KEY', access.source, context.envFilePath))
        : notPassed(
            'warning',
            message('ACCESS_KEY and SECRET_KEY come from two places, so they may not belong together.'),
            fix,
          );
    }
    if (!complete) {
      return notPassed('unknown', cannotTell(context, 'ACCESS_KEY, SECRET_KEY'));
    }
    if (access === undefined && secret === undefined) {
      return notPassed(
        'warning',
        message('ACCESS_KEY and SECRET_KEY are not set: jobs cannot use s3:// paths.'),
        fix,
      );
    }
    return notPassed(
      'failed',
      access === undefined
        ? message('SECRET_KEY is set, but ACCESS_KEY is not: S3 needs both.')
        : message('ACCESS_KEY is set, but SECRET_KEY is not: S3 needs both.'),
      fix,
    );
  },
};

function present(
  { id, title, name, missing, fix }: KeyCheck,
  objection: (value: string, now: number) => ReturnType<typeof notPassed> | undefined = () => undefined,
): Check {
  return {
    id,
    title,
    limitMs: LOCAL_LIMIT_MS,
    run: async (context) => {
      const { keys, complete } = await look(context, [name]);
      const found = keys.get(name);
      if (found !== undefined) {
        return (
          objection(found.value, context.clock.now()) ??
          passed(foundIn(name, found.source, context.envFilePath))
        );
      }
      return complete
        ? notPassed('warning', missing, fix)
        : notPassed('unknown', cannotTell(context, name), fix);
    },
  };
}

/** The keys that were found; `complete` is false when the env file could not be read. */
async function look<Name extends CredentialName>(context: CheckContext, names: readonly Name[]) {
  const read = await context.envFile();
  const { environment, secrets } = context;
  const envFile = read.kind === 'ok' ? read.value : undefined;
  const keys = await findCredentials(names, { environment, envFile, secrets });
  return { keys, complete: envFile !== undefined };
}

function cannotTell(context: CheckContext, names: string): Message {
  return message(
    'It is not known whether {0} is set, because {1} cannot be read.',
    names,
    context.envFilePath,
  );
}
