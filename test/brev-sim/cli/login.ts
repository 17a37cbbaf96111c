import { rmSync } from 'node:fs';
import { updateCloud } from '../cloud/state.ts';
import { readClaims } from '../cloud/tokens.ts';
import { CliError } from './errors.ts';
import { activeOrg } from './orgs.ts';
import { type Invocation, type Run, readLine } from './run.ts';
import { exchange, newSessionKey, signIn, storeCredentials } from './session.ts';
import { brevFile } from './user-files.ts';

/** `brev login` in its forms: by token, by browser, by API key. */
export async function login({ run, flags }: Invocation): Promise<void> {
  if (flags.text('api-key') !== '') {
    loginByApiKey(run, flags.text('api-key'), flags.text('org-id'));
    return;
  }
  run.out('\n   ▸     Starting Login\n\n');
  if (flags.text('token') !== '') loginByToken(run, flags.text('token'));
  else await loginByBrowser(run, flags.text('email'), flags.on('skip-browser'));
  greet(run);
}

/** `brev logout`: silent, also where nobody is signed in. */
export async function logout({ run }: Invocation): Promise<void> {
  rmSync(brevFile(run, 'credentials.json'), { force: true });
}

/** The token is stored before any check, and stays where the check fails (contract 2). */
function loginByToken(run: Run, token: string): void {
  const claims = readClaims(token);
  if (claims !== undefined && !claims.expired) {
    storeCredentials(run, { access_token: token, refresh_token: 'auto-login' });
  } else storeCredentials(run, { access_token: 'auto-login', refresh_token: token });
}

async function loginByBrowser(run: Run, email: string, skipBrowser: boolean): Promise<void> {
  if (email === '') {
    run.out('Enter your email: ');
    if (readLine() === undefined) {
      run.out('failed.\n');
      throw new CliError('EOF');
    }
  }
  const key = newSessionKey();
  if (skipBrowser)
    run.out(`Login here: https://login.nvidia.com/device?key=${key}\n\nWaiting for login to complete...\n`);
  else run.out('Waiting for login to complete in browser...\n');
  const answer = run.cloud().browserLogin;
  if (answer === 'never') await new Promise(() => setInterval(() => undefined, 3_600_000));
  if (answer === 'refused') {
    run.out('failed.\n');
    throw new CliError('error making login call, status code: 400, body: {"error":"invalid email"}');
  }
  await run.sleep(2_000);
  updateCloud(run.root, (cloud) => {
    cloud.sessions[key] = 'good';
  });
  const refreshToken = `${key}:${newSessionKey()}`;
  storeCredentials(run, { access_token: exchange(run, refreshToken), refresh_token: refreshToken });
  run.out('\n   ▸    Successfully logged in.\n');
}

function loginByApiKey(run: Run, key: string, orgId: string): void {
  if (!key.startsWith('bak-')) throw new CliError('api key must start with bak-');
  storeCredentials(run, { api_key: key, api_key_org_id: orgId });
  run.out(`API key saved for org ${orgId}\n`);
}

/** The first real request of a fresh login, and the summary of its success. */
function greet(run: Run): void {
  const session = signIn(run);
  const org = activeOrg(run, session);
  if (org === undefined) return;
  const other = run.cloud().orgs.find((candidate) => candidate.id !== org.id) ?? org;
  run.out(
    `current organization: ${org.name}\nswitch organizations:\n\tbrev set ${other.name}\nlist your instances:\n\tbrev ls\n`,
  );
}
