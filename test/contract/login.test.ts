import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mintToken } from '../brev-sim/sim.ts';
import { type SimBrev, simOnly } from './support/brev.ts';

const START = '\n   ▸     Starting Login\n\n';

const pathOf = ({ sim }: SimBrev) => join(sim.home, '.brev', 'credentials.json');
const stored = async (brev: SimBrev) => JSON.parse(await readFile(pathOf(brev), 'utf8'));

simOnly('login --token with a good JWT', { signedIn: false }, async (brev) => {
  const token = mintToken({ expiresInSeconds: 600 });
  const { code, stdout, stderr } = await brev.run(['login', '--token', token]);
  assert.deepEqual([code, stderr], [0, '']);
  assert.ok(stdout.startsWith(START));
  assert.match(stdout, /^current organization: research$/m);
  assert.match(stdout, /^switch organizations:\n\tbrev set \S+$/m);
  assert.match(stdout, /^list your instances:\n\tbrev ls$/m);
  assert.deepEqual(await stored(brev), { access_token: token, refresh_token: 'auto-login' });
  assert.equal((await stat(pathOf(brev))).mode & 0o077, 0o044, 'readable by everybody');
  assert.equal((await brev.run(['ls', '--json'])).code, 0);
});

simOnly('a session made with a JWT cannot be refreshed', { signedIn: false }, async (brev) => {
  await brev.run(['login', '--token', mintToken({ expiresInSeconds: 600 })]);
  await brev.sim.scenario([{ kind: 'token-expired', refreshable: true, command: 'ls' }]);
  assert.match((await brev.run(['ls'])).stdout, /^WARN: malformed refresh token, logging out\n/);
});

simOnly('a rejected token fails but stays on disk', { signedIn: false }, async (brev) => {
  const token = mintToken({ expiresInSeconds: 600, accepted: false });
  const { code, stdout, stderr } = await brev.run(['login', '--token', token]);
  assert.equal(code, 1);
  assert.equal(stdout, START);
  assert.match(stderr, /^unauthenticated$/m);
  assert.equal((await stored(brev)).access_token, token);
});

simOnly('an opaque token is stored as a refresh token', { signedIn: false }, async (brev) => {
  assert.equal((await brev.run(['login', '--token', 'garbage'])).code, 1);
  assert.deepEqual(await stored(brev), { access_token: 'auto-login', refresh_token: 'garbage' });
  const later = await brev.run(['ls', '--json']);
  assert.equal(later.code, 1);
  assert.equal(
    later.stdout,
    'no oauth found for token\nWARN: malformed refresh token, logging out\nYou are currently logged out, would you like to log in? [Y/n]: ',
  );
  const expired = mintToken({ expiresInSeconds: -60 });
  await brev.run(['login', '--token', expired]);
  assert.equal((await stored(brev)).refresh_token, expired);
});

simOnly('session:device is exchanged at once', { signedIn: false }, async (brev) => {
  await brev.sim.cloud((cloud) => {
    cloud.sessions.somekey = 'good';
  });
  assert.equal((await brev.run(['login', '--token', 'somekey:somedevice'])).code, 0);
  assert.equal((await stored(brev)).refresh_token, 'somekey:somedevice');
  assert.equal((await brev.run(['ls', '--json'])).code, 0);
});

simOnly('login --skip-browser --email prints a URL and waits', { signedIn: false }, async (brev) => {
  const { code, stdout } = await brev.run(['login', '--skip-browser', '--email', 'someone@example.com']);
  assert.equal(code, 0);
  assert.match(stdout, /Login here: https:\/\/\S+\n\nWaiting for login to complete\.\.\./);
  assert.match(stdout, /^ {3}▸ {4}Successfully logged in\.$/m);
  assert.equal((await brev.run(['ls', '--json'])).code, 0);
});

simOnly('login without an email, and one that is refused', { signedIn: false }, async ({ sim, run }) => {
  const { code, stdout, stderr } = await run(['login', '--skip-browser']);
  assert.equal(code, 1);
  assert.match(stdout, /Enter your email: failed\.\n$/);
  assert.match(stderr, /EOF\n$/);
  await sim.cloud((cloud) => {
    cloud.browserLogin = 'refused';
  });
  const refused = await run(['login', '--skip-browser', '--email', 'nobody']);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /failed\.\n$/);
  assert.match(refused.stderr, /error making login call, status code: 400, body: /);
});

simOnly('API keys', { signedIn: false }, async (brev) => {
  const bad = await brev.run(['login', '--api-key', 'nope', '--org-id', 'org-vision']);
  assert.equal(bad.code, 1);
  assert.match(bad.stderr, /api key must start with bak-\n$/);
  assert.ok(!existsSync(pathOf(brev)));
  const good = await brev.run(['login', '--api-key', 'bak-123', '--org-id', 'org-vision']);
  assert.deepEqual([good.code, good.stdout], [0, 'API key saved for org org-vision\n']);
  await brev.sim.addInstance({ name: 'theirs', orgId: 'org-vision', owner: 'user-other' });
  assert.match((await brev.run(['ls', '--json'])).stdout, /"name": "theirs"/);
  const orgs = await brev.run(['ls', 'orgs', '--json']);
  assert.equal(orgs.code, 1);
  assert.match(orgs.stderr, /api key auth cannot list organizations\n$/);
});

simOnly('API keys came with 0.6.324', { signedIn: false, version: '0.6.323' }, async ({ run }) => {
  const { code, stderr } = await run(['login', '--api-key', 'bak-123']);
  assert.equal(code, 1);
  assert.match(stderr, /unknown flag: --api-key\n$/);
});
