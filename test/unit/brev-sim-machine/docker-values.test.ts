import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  fixedTime,
  humanDuration,
  nanoTime,
  parseDuration,
  parseMoment,
  parseTime,
} from '../../brev-sim/machine/docker/clock.ts';
import {
  restorePaths,
  rewritePaths,
  toContainer,
  toHost,
} from '../../brev-sim/machine/docker/container-paths.ts';
import { parseReference } from '../../brev-sim/machine/docker/images.ts';
import { csvFields } from '../../brev-sim/machine/docker/option-values.ts';
import { decimalSize, parseSize } from '../../brev-sim/machine/docker/sizes.ts';

const SECOND = 1_000_000_000n;

describe('docker’s values', () => {
  it('times with nine digits and without their trailing zeros', () => {
    const moment = parseTime('2026-12-01T02:25:31.120000000Z') ?? 0n;
    assert.equal(fixedTime(moment), '2026-12-01T02:25:31.120000000Z');
    assert.equal(nanoTime(moment), '2026-12-01T02:25:31.12Z');
    assert.equal(nanoTime((moment / SECOND) * SECOND), '2026-12-01T02:25:31Z');
    assert.equal(parseMoment('1796091931.5'), parseTime('2026-12-01T02:25:31.5Z'));
    assert.equal(parseTime('2026-12-01T03:25:31+01:00'), parseTime('2026-12-01T02:25:31Z'));
    assert.equal(parseDuration('1h30m'), 5400n * SECOND);
    assert.equal(parseMoment('yesterday'), undefined);
  });

  it('ages', () => {
    const ages: [bigint, string][] = [
      [0n, 'Less than a second'],
      [1n, '1 second'],
      [59n, '59 seconds'],
      [61n, 'About a minute'],
      [300n, '5 minutes'],
      [3600n, 'About an hour'],
      [7200n, '2 hours'],
      [3n * 86_400n, '3 days'],
    ];
    for (const [seconds, text] of ages) assert.equal(humanDuration(seconds * SECOND), text);
  });

  it('sizes', () => {
    assert.deepEqual(['16g', '64MB', '1.5GiB', '100', '8k', 'x', '5x'].map(parseSize), [
      16 * 1024 ** 3,
      64 * 1024 ** 2,
      1.5 * 1024 ** 3,
      100,
      8192,
      undefined,
      undefined,
    ]);
    assert.deepEqual([0, 77_900_000, 21_400_000_000].map(decimalSize), ['0B', '77.9MB', '21.4GB']);
  });

  it('names of images', () => {
    assert.deepEqual(
      ['ubuntu', 'a/b:1', 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt', 'localhost:5000/x'].map(
        (text) => parseReference(text).familiar,
      ),
      ['ubuntu:latest', 'a/b:1', 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt', 'localhost:5000/x:latest'],
    );
    assert.throws(() => parseReference('ubuntu:'), /^Error: invalid reference format$/);
  });

  it('fields with commas in quotes', () => {
    assert.deepEqual(csvFields('"device=0,1",capabilities=utility'), ['device=0,1', 'capabilities=utility']);
  });

  it('paths of a container', () => {
    const paths = {
      rootfs: '/m/c/rootfs',
      mounts: [
        { type: 'bind' as const, source: '/h', hostPath: '/h', target: '/data', readOnly: false },
        {
          type: 'bind' as const,
          source: '/h/res',
          hostPath: '/h/res',
          target: '/data/results',
          readOnly: false,
        },
      ],
    };
    assert.deepEqual(
      [
        '/data',
        '/data/a',
        '/data/results/x',
        '/database',
        '/results/y',
        '/usr/bin/env',
        '/data/../etc/x',
      ].map((path) => toHost(paths, path)),
      ['/h', '/h/a', '/h/res/x', '/m/c/rootfs/database', '/m/c/rootfs/results/y', '/usr/bin/env', '/etc/x'],
    );
    // what was one of the host's already, in a file that a program of the container wrote
    for (const path of ['/h/res/x', '/m/c/rootfs/tmp/z']) assert.equal(toHost(paths, path), path);
    assert.deepEqual(
      ['/h/a', '/h/res/x', '/m/c/rootfs/tmp/z', '/elsewhere'].map((path) => toContainer(paths, path)),
      ['/data/a', '/data/results/x', '/tmp/z', '/elsewhere'],
    );
    const script = `cat /data/a "/data/b c" x=/results/y > /tmp/z; curl https://host/data/a s3://b/data /database /usr/bin/env`;
    const rewritten = rewritePaths(paths, script);
    assert.equal(
      rewritten,
      `cat /h/a "/h/b c" x=/m/c/rootfs/results/y > /m/c/rootfs/tmp/z; curl https://host/data/a s3://b/data /database /usr/bin/env`,
    );
    assert.equal(restorePaths(paths, rewritten), script);
  });
});
