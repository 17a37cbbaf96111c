import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Machine, type Outcome, TAO_IMAGE } from './machine.ts';

const KEY = 'nvapi-0123456789';

async function login(
  machine: Machine,
  key: string,
  options: { user?: string; env?: Record<string, string> } = {},
): Promise<Outcome> {
  return await machine.run(
    'docker',
    ['login', 'nvcr.io', '--username', options.user ?? '$oauthtoken', '--password-stdin'],
    { stdin: `${key}\n`, ...(options.env === undefined ? {} : { env: options.env }) },
  );
}

const UNAUTHORIZED =
  'Error response from daemon: Head "https://nvcr.io/v2/nvidia/tao/tao-toolkit/manifests/7.1.0-pyt": unauthorized: authentication required\n';

describe('images and registries', { concurrency: 2 }, () => {
  it('nvcr.io wants a login; after it the pull goes through, and the next one has nothing to do', async () => {
    using machine = new Machine();
    machine.write('registry.json', { pullSeconds: 0 });
    const refused = await machine.docker('pull', TAO_IMAGE);
    assert.deepEqual([refused.code, refused.stdout, refused.stderr], [1, '', UNAUTHORIZED]);
    assert.equal(
      (await machine.docker('manifest', 'inspect', TAO_IMAGE)).stderr,
      'unauthorized: authentication required\n',
    );

    const signedIn = await login(machine, KEY);
    assert.deepEqual([signedIn.code, signedIn.stdout], [0, 'Login Succeeded\n']);
    assert.match((await machine.docker('manifest', 'inspect', TAO_IMAGE)).stdout, /"schemaVersion": 2/);

    const pulled = await machine.docker('pull', TAO_IMAGE);
    assert.equal(pulled.code, 0);
    const lines = pulled.stdout.trimEnd().split('\n');
    assert.equal(lines.shift(), '7.1.0-pyt: Pulling from nvidia/tao/tao-toolkit');
    assert.equal(lines.pop(), TAO_IMAGE);
    assert.equal(lines.pop(), `Status: Downloaded newer image for ${TAO_IMAGE}`);
    assert.match(lines.pop() ?? '', /^Digest: sha256:[0-9a-f]{64}$/);
    for (const line of lines) {
      assert.match(
        line,
        /^[0-9a-f]{12}: (Pulling fs layer|Waiting|Verifying Checksum|Download complete|Pull complete)$/,
      );
    }
    const again = await machine.docker('pull', TAO_IMAGE);
    assert.match(again.stdout, new RegExp(`^Status: Image is up to date for ${TAO_IMAGE}$`, 'm'));
  });

  it('a wrong key, a wrong user, a forbidden image: each says its own', async () => {
    using machine = new Machine();
    machine.write('registry.json', { keys: [KEY], forbidden: ['nvcr.io/nvidia/tao'], pullSeconds: 0 });
    const wrong =
      'Error response from daemon: Get "https://nvcr.io/v2/": unauthorized: authentication required\n';
    for (const outcome of [
      await login(machine, 'nvapi-other-key'),
      await login(machine, KEY, { user: 'me' }),
    ]) {
      assert.deepEqual([outcome.code, outcome.stdout, outcome.stderr], [1, '', wrong]);
    }
    assert.equal((await login(machine, KEY)).code, 0);
    assert.match(
      (await machine.docker('pull', TAO_IMAGE)).stderr,
      /failed to fetch oauth token: .* 403 Forbidden/,
    );
  });

  it('the login is kept in this user’s file, for its owner only, until the logout; sudo’s is another', async () => {
    using machine = new Machine();
    machine.write('registry.json', { pullSeconds: 0 });
    await login(machine, KEY);
    const file = join(machine.home, '.docker/config.json');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.match(
      readFileSync(file, 'utf8'),
      new RegExp(Buffer.from(`$oauthtoken:${KEY}`).toString('base64')),
    );
    assert.equal((await machine.run('sudo', ['-n', 'docker', 'pull', TAO_IMAGE])).stderr, UNAUTHORIZED);
    await machine.docker('logout', 'nvcr.io');
    assert.equal((await machine.docker('pull', TAO_IMAGE)).stderr, UNAUTHORIZED);
  });

  it('DOCKER_CONFIG moves the login', async () => {
    using machine = new Machine();
    machine.write('registry.json', { pullSeconds: 0 });
    const env = { DOCKER_CONFIG: join(machine.home, 'private') };
    await login(machine, KEY, { env });
    assert.equal((await machine.docker('pull', TAO_IMAGE)).code, 1);
    assert.equal((await machine.run('docker', ['pull', '-q', TAO_IMAGE], { env })).stdout, `${TAO_IMAGE}\n`);
  });

  it('a run pulls what is missing, with the progress on stderr', async () => {
    using machine = new Machine().withImages();
    const outcome = await machine.docker('run', 'alpine', 'echo', 'hi');
    assert.equal(outcome.stdout, 'hi\n');
    assert.match(
      outcome.stderr,
      /^Unable to find image 'alpine:latest' locally\nlatest: Pulling from library\/alpine\n/,
    );
    assert.equal((await machine.docker('run', 'alpine', 'echo', 'hi')).stderr, '');
    const never = await machine.docker('run', '--pull', 'never', 'debian', 'true');
    assert.match(
      never.stderr,
      /^Unable to find image 'debian:latest' locally\ndocker: Error response from daemon: No such image: debian:latest\n/,
    );
  });

  it('injected pull faults', async () => {
    using machine = new Machine().withImages();
    const faults: [string, RegExp][] = [
      ['unauthorized', /unauthorized: authentication required/],
      ['denied', /pull access denied for nvcr\.io\/nvidia\/tao\/tao-toolkit, .*: denied: /],
      ['forbidden', /403 Forbidden/],
      ['anonymous-401', /failed to fetch anonymous token: unexpected status: 401 Unauthorized/],
      ['manifest-unknown', /manifest for nvcr\.io\/\S+ not found: manifest unknown/],
      ['no-space', /no space left on device/],
      ['toomanyrequests', /toomanyrequests: /],
    ];
    for (const [error, said] of faults) {
      machine.write('docker-faults.json', { pull: { error, match: 'tao-toolkit' } });
      const outcome = await machine.docker('pull', TAO_IMAGE);
      assert.equal(outcome.code, 1);
      assert.match(outcome.stderr, said);
    }
    assert.equal((await machine.docker('pull', '-q', 'ubuntu')).code, 0);
  });

  it('lists, shows and removes images, but none that a container uses', async () => {
    using machine = new Machine().withImages();
    await machine.docker('run', '-q', '--name', 'job', 'ubuntu:24.04', 'true');
    assert.match(
      (await machine.docker('images')).stdout,
      /^REPOSITORY +TAG +IMAGE ID +CREATED +SIZE\nubuntu +24\.04 +[0-9a-f]{12} /,
    );
    const id = (
      await machine.docker('image', 'inspect', '--format', '{{.Id}} {{index .RepoTags 0}}', 'ubuntu:24.04')
    ).stdout;
    assert.match(id, /^sha256:[0-9a-f]{64} ubuntu:24\.04\n$/);
    assert.match((await machine.docker('rmi', 'ubuntu:24.04')).stderr, /is using its referenced image/);
    await machine.docker('rm', 'job');
    assert.equal((await machine.docker('rmi', 'ubuntu:24.04')).code, 0);
    assert.equal((await machine.docker('images', '-q')).stdout, '');
  });
});
