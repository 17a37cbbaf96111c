import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { jobList } from '../../../../src/platforms/brevSdk/bridgeAnswers.ts';
import { SdkRoute } from '../../../../src/platforms/brevSdk/sdkRoute.ts';
import { ok } from '../../../../src/values/outcome.ts';
import { failureOf, value } from '../../../support/outcomes.ts';
import { pythonOf } from '../../../support/pythonEnvironment.ts';
import { temporaryFolder } from '../../process/temporaryFolder.ts';

function routeWith(t: TestContext, python: string, folder = temporaryFolder(t)): SdkRoute {
  const route = new SdkRoute({
    python: () => python,
    locate: async () => ok('/nowhere/brev'),
    environment: () => ({ PATH: process.env.PATH ?? '', HOME: folder }),
    folder,
    log: () => undefined,
  });
  t.after(() => route.dispose());
  return route;
}

/** A program that says it is another version of Python, or has no packages. */
async function pretending(t: TestContext, line: string): Promise<string> {
  const file = path.join(temporaryFolder(t), 'python');
  writeFileSync(file, `#!/bin/sh\n${line}\n`);
  chmodSync(file, 0o755);
  return file;
}

it('finds the SDK, with a state of its own that nobody else may read', async (t) => {
  const folder = temporaryFolder(t);
  const route = routeWith(t, await pythonOf('tao-sdk'), folder);
  const bridge = value(await route.bridge());
  assert.deepEqual(value(await bridge.request('list_jobs', {}, jobList)), { jobs: [] });
  assert.equal(statSync(path.join(folder, 'tao-sdk')).mode & 0o777, 0o700);
  assert.equal(value(await route.versions()).sdk, '7.2.0');
  assert.equal(value(await route.bridge()), bridge);
});

it('says that the SDK is missing', async (t) => {
  const { stdout } = await promisify(execFile)('python3', ['-c', 'import sys; print(sys.executable)']);
  const python = await pretending(t, `shift; exec ${stdout.trim()} -s -S "$@"`);
  assert.match(failureOf(await routeWith(t, python).bridge()).sentence, /^The TAO SDK is not installed for /);
});

it('says that Python is too old', async (t) => {
  const answer = '{"id": 1, "result": {"python": "3.9.2", "executable": "/usr/bin/python3", "sdk": null}}';
  const python = await pretending(t, `read -r request; echo '${answer}'`);
  assert.equal(
    failureOf(await routeWith(t, python).bridge()).sentence,
    'The TAO SDK needs Python 3.10 or newer; /usr/bin/python3 is 3.9.2.',
  );
});

it('says that the interpreter is not there, or ended, and tries again the next time', async (t) => {
  const route = routeWith(t, '/nowhere/python');
  assert.match(failureOf(await route.bridge()).sentence, /ENOENT/);
  assert.match(failureOf(await route.bridge()).sentence, /ENOENT/);
  const ending = routeWith(t, await pretending(t, 'exit 3'));
  assert.match(failureOf(await ending.versions()).sentence, /it ended with 3/);
});
