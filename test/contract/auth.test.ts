import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mintToken } from '../brev-sim/sim.ts';
import { type SimBrev, simOnly } from './support/brev.ts';
import { lastLine } from './support/text.ts';

const PROMPT = 'You are currently logged out, would you like to log in? [Y/n]: ';

const credentialsOf = ({ sim }: SimBrev) => join(sim.home, '.brev', 'credentials.json');
const store = (brev: SimBrev, value: unknown) =>
  writeFile(credentialsOf(brev), typeof value === 'string' ? value : JSON.stringify(value));

for (const args of [
  ['ls'],
  ['ls', '--json'],
  ['ls', 'orgs'],
  ['create', 'x', '-d', '--type', 'g5.xlarge'],
  ['set', 'research'],
  ['org'],
]) {
  simOnly(
    `signed out, ${args.join(' ')} prompts on stdout and dies of the EOF`,
    { signedIn: false },
    async ({ run }) => {
      const { code, stdout, stderr } = await run(args);
      assert.deepEqual([code, stdout], [1, PROMPT]);
      assert.match(stderr, /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d\.\d{6} WARN RESTY .*EOF, Attempt 1$/m);
      assert.match(stderr, /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d\.\d{6} ERROR RESTY .*EOF$/m);
      assert.equal(lastLine(stderr), 'EOF');
    },
  );
}

simOnly('signed out, the special cases', { signedIn: false }, async ({ sim, run }) => {
  const pipe = await run(['port-forward', 'x', '-p', '1:2']);
  assert.deepEqual([pipe.code, pipe.stdout, pipe.stderr], [1, PROMPT, 'EOF\n']);
  const file = join(sim.root, 'cloud.json');
  const copy = await run(['copy', file, 'x:']);
  assert.deepEqual([copy.code, copy.stdout, copy.stderr], [1, PROMPT, 'EOF\n']);
  for (const command of ['delete', 'stop']) {
    const { code, stdout, stderr } = await run([command, 'x']);
    assert.deepEqual([code, stdout], [1, PROMPT]);
    assert.match(stderr, /1 error occurred:\n\t\* .*EOF\n\n\n$/);
  }
  const refresh = await run(['refresh']);
  assert.deepEqual([refresh.code, refresh.stdout], [1, `refreshing brev...\n${PROMPT}`]);
});

simOnly(
  'signed out with an open pipe it waits for an answer; n declines',
  { signedIn: false },
  async ({ start }) => {
    const ls = start(['ls', '--json'], { stdin: 'open' });
    await ls.until('stdout', /\[Y\/n\]: $/);
    assert.equal(ls.child.exitCode, null);
    ls.child.stdin?.end('n\n');
    const { code, stderr } = await ls.ended;
    assert.equal(code, 1);
    assert.match(stderr, /declined to login\n$/);
  },
);

simOnly('no login needed', { signedIn: false }, async ({ run }) => {
  for (const args of [
    ['search', '--json'],
    ['--version', '--no-check-latest'],
    ['ls', '--help'],
  ]) {
    const { code, stderr } = await run(args);
    assert.deepEqual([code, stderr], [0, ''], args.join(' '));
  }
  const logout = await run(['logout']);
  assert.deepEqual([logout.code, logout.stdout, logout.stderr], [0, '', '']);
});

simOnly('logout removes the credentials and nothing else', {}, async (brev) => {
  await brev.run(['refresh']);
  const { code, stdout, stderr } = await brev.run(['logout']);
  assert.deepEqual([code, stdout, stderr], [0, '', '']);
  assert.ok(!existsSync(credentialsOf(brev)));
  for (const kept of ['ssh_config', 'brev.pem']) assert.ok(existsSync(join(brev.sim.home, '.brev', kept)));
});

simOnly(
  'an expired token with a good session is renewed in silence; the file keeps its mode',
  {},
  async (brev) => {
    const before = JSON.parse(await readFile(credentialsOf(brev), 'utf8'));
    const expired = mintToken({ expiresInSeconds: -60 });
    await store(brev, { ...before, access_token: expired });
    await chmod(credentialsOf(brev), 0o600);
    const { code, stdout, stderr } = await brev.run(['ls', '--json']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal(stdout[0], '{');
    const after = JSON.parse(await readFile(credentialsOf(brev), 'utf8'));
    assert.notEqual(after.access_token, expired);
    assert.equal(after.refresh_token, before.refresh_token);
    assert.equal((await stat(credentialsOf(brev))).mode & 0o777, 0o600);
  },
);

simOnly(
  'an expired token whose session is refused counts as signed out, and the file stays',
  {},
  async (brev) => {
    const stale = { access_token: mintToken({ expiresInSeconds: -60 }), refresh_token: 'unknown:device' };
    await store(brev, stale);
    const { code, stdout } = await brev.run(['ls', '--json']);
    assert.deepEqual([code, stdout], [1, PROMPT]);
    assert.deepEqual(JSON.parse(await readFile(credentialsOf(brev), 'utf8')), stale);
  },
);

simOnly('an expired token while the token service is down', {}, async (brev) => {
  await brev.sim.scenario([
    { kind: 'token-expired', refreshable: true, command: 'ls' },
    { kind: 'token-http', status: 500, body: 'oops', command: 'ls' },
  ]);
  const { code, stdout, stderr } = await brev.run(['ls', '--json']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /error retrieving token, status code: 500, body: oops\n$/);
});

simOnly('an expired token with a refresh token of the wrong form', {}, async (brev) => {
  await store(brev, { access_token: mintToken({ expiresInSeconds: -60 }), refresh_token: 'auto-login' });
  const { code, stdout } = await brev.run(['ls', '--json']);
  assert.deepEqual([code, stdout], [1, `WARN: malformed refresh token, logging out\n${PROMPT}`]);
  const note = join(brev.sim.home, '.brev', '.invalid-refresh-token');
  assert.equal((await stat(note)).mode & 0o777, 0o600);
});

simOnly('a token that the service refuses: its message, no prompt', {}, async (brev) => {
  await store(brev, {
    access_token: mintToken({ expiresInSeconds: 600, accepted: false }),
    refresh_token: 'unknown:device',
  });
  const { code, stdout, stderr } = await brev.run(['ls', '--json']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^unauthenticated$/m);
  await brev.sim.scenario([{ kind: 'http', status: 403, command: 'ls', message: 'no permission to list' }]);
  const forbidden = await brev.run(['ls', '--json']);
  assert.deepEqual([forbidden.code, forbidden.stdout], [1, '']);
  assert.match(forbidden.stderr, /^no permission to list$/m);
});

simOnly('a token of a strange issuer spoils stdout before the JSON, exit 0', {}, async (brev) => {
  await store(brev, {
    access_token: mintToken({ expiresInSeconds: 600, issuer: 'https://elsewhere.example' }),
    refresh_token: 'a:b',
  });
  const { code, stdout } = await brev.run(['ls', '--json']);
  assert.equal(code, 0);
  assert.ok(stdout.startsWith('no oauth found for token\n{\n'));
  assert.ok((await brev.run(['search', '--json'])).stdout.startsWith('no oauth found for token\n[\n'));
});

simOnly('credentials files in odd states', {}, async (brev) => {
  for (const text of ['', '{"access_tok']) {
    await store(brev, text);
    const { code, stdout, stderr } = await brev.run(['ls', '--json']);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /unexpected end of JSON input\n$/);
  }
  for (const text of ['null', '{}']) {
    await store(brev, text);
    assert.equal((await brev.run(['ls', '--json'])).stdout, PROMPT);
  }
  await store(brev, '[]');
  assert.match((await brev.run(['ls', '--json'])).stderr, /json: cannot unmarshal array/);
});

simOnly('a torn read of the credentials passes with the next call', {}, async ({ sim, run }) => {
  await sim.scenario([{ kind: 'torn-credentials', command: 'ls' }]);
  assert.match((await run(['ls', '--json'])).stderr, /unexpected end of JSON input\n$/);
  assert.equal((await run(['ls', '--json'])).code, 0);
});

simOnly("an unreachable service: the dial error, with the library's own lines", {}, async ({ sim, run }) => {
  await sim.scenario([{ kind: 'offline' }]);
  const { code, stdout, stderr } = await run(['ls', '--json']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, / WARN RESTY Get "https:\/\/.+, Attempt 1$/m);
  assert.match(lastLine(stderr), /^Get "https:\/\/[^"]+": dial tcp .+: connect: connection refused$/);
});

simOnly('an expired token and no refresh token: the service refuses', {}, async (brev) => {
  await store(brev, { access_token: mintToken({ expiresInSeconds: -60 }), refresh_token: '' });
  const { code, stdout, stderr } = await brev.run(['ls', '--json']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.notEqual(stderr, '');
});

simOnly('an answer with the email in one write is lost', { signedIn: false }, async ({ run }) => {
  const { code, stdout } = await run(['ls'], { stdin: { text: 'y\nsomeone@example.com\n' } });
  assert.equal(code, 1);
  assert.match(stdout, /Enter your email: failed\.\n$/);
});

simOnly('DEBUG_HTTP shows the bearer token on stderr', {}, async (brev) => {
  const { access_token: token } = JSON.parse(await readFile(credentialsOf(brev), 'utf8'));
  const { code, stdout, stderr } = await brev.run(['ls', '--json'], { env: { DEBUG_HTTP: '1' } });
  assert.equal(code, 0);
  assert.equal(stdout[0], '{');
  assert.ok(stderr.includes(`Bearer ${token}`));
});
