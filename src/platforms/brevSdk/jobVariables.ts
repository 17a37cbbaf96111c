import type { JobSecrets } from '../platform.ts';

/** What the SDK itself must know, for where results go; none of it is a secret. */
const OPEN = new Set(['S3_BUCKET_NAME', 'AWS_ENDPOINT_URL', 'AWS_DEFAULT_REGION']);

/**
 * A job's variables: those that the SDK may put on command lines, and all others as prepareSdk.sh reads them. Without
 * any of these there is no input, which the exec route would have to copy first.
 */
export function jobVariables({ environment, ngcKey }: JobSecrets): {
  readonly open: Readonly<Record<string, string>>;
  readonly input: Uint8Array | undefined;
} {
  const isOpen = ([name, value]: readonly [string, string]): boolean =>
    // an endpoint may have a password in it
    OPEN.has(name) && !value.includes('@');
  const all = [...environment];
  const hidden = all.filter((each) => !isOpen(each));
  const pairs = ngcKey === undefined ? hidden : [...hidden, ['registry', ngcKey] as const];
  return {
    open: Object.fromEntries(all.filter(isOpen)),
    input:
      pairs.length === 0
        ? undefined
        : Buffer.from(pairs.map(([name, value]) => `${name}=${value}\0`).join('')),
  };
}
