import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { pythonAt, sdkPlace } from '../../../../src/platforms/brevSdk/sdkPlace.ts';
import { temporaryFolder } from '../../process/temporaryFolder.ts';

describe('the interpreter of the SDK', () => {
  it('is the one of the setting, whatever else there is', () => {
    assert.deepEqual(sdkPlace('/my/python', '/own', '/chosen/bin/python'), {
      kind: 'interpreter',
      python: '/my/python',
    });
  });

  it('is the one that is chosen in the Python extension, once it has the SDK', (t) => {
    const environment = temporaryFolder(t);
    const python = path.join(environment, 'bin/python');
    const packages = path.join(environment, 'lib/python3.12/site-packages');
    mkdirSync(packages, { recursive: true });
    assert.equal(sdkPlace('', '/own', python).kind, 'venv');
    mkdirSync(path.join(packages, 'tao_sdk'));
    assert.deepEqual(sdkPlace('', '/own', python), { kind: 'interpreter', python });
  });

  it('is else in an environment of our own, which is none until it was made', (t) => {
    const own = temporaryFolder(t);
    for (const chosen of [undefined, '/no/such/bin/python']) {
      const place = sdkPlace('', own, chosen);
      assert.equal(place.kind, 'venv');
      assert.equal(pythonAt(place), undefined);
    }
    mkdirSync(path.join(own, 'python/bin'), { recursive: true });
    writeFileSync(path.join(own, 'python/bin/python'), '');
    assert.equal(pythonAt(sdkPlace('', own, undefined)), path.join(own, 'python/bin/python'));
  });
});
