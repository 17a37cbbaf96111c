import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Mount, mountsOf, placeOf } from '../../../../src/preflight/launch/mounts.ts';
import { launch } from './support/launch.ts';

describe('mountsOf', () => {
  it("reads them from the arguments of the job's container", () => {
    assert.deepEqual(mountsOf(launch().run), [
      { containerPath: '/data', from: 'home', path: 'data', readOnly: false },
      { containerPath: '/job/spec.yaml', from: 'job', path: 'spec.yaml', readOnly: true },
      { containerPath: '/results', from: 'job', path: 'results', readOnly: false },
    ]);
  });
});

describe('placeOf', () => {
  const mounts: readonly Mount[] = [
    { containerPath: '/data', from: 'home', path: 'data', readOnly: false },
    { containerPath: '/data/cache', from: 'job', path: 'cache', readOnly: false },
  ];
  const words = (containerPath: string): string => {
    const place = placeOf(containerPath, mounts);
    return place.kind === 'mounted' ? `${place.mount.path}:${place.rest}` : place.kind;
  };

  it('finds the innermost mount', () => {
    assert.equal(words('/data'), 'data:');
    assert.equal(words('/data/'), 'data:');
    assert.equal(words('/data/a/b'), 'data:a/b');
    assert.equal(words('/data//a/./b/'), 'data:a/b/');
    assert.equal(words('/data/cache'), 'cache:');
    assert.equal(words('/data/cache/x'), 'cache:x');
    assert.equal(words('/data/cached'), 'data:cached');
  });

  it('takes no other path for one', () => {
    for (const other of ['/database', '/dat', '/', '/data/../etc2', '/workspace/x']) {
      assert.equal(words(other), 'nowhere', other);
    }
    for (const image of ['/usr/lib/x', '/opt/x', '/etc', '/data/../etc/x'])
      assert.equal(words(image), 'image', image);
  });
});
