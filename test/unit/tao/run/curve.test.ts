import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Curve } from '../../../../src/tao/run/curve.ts';

describe('Curve', () => {
  it('keeps all points while there is room, and one for each place', () => {
    const curve = new Curve(10);
    for (const [x, y] of [
      [0, 1],
      [0.5, 2],
      [0.5, 3],
      [1, 4],
    ] as const)
      curve.add(x, y);
    assert.deepEqual(
      [curve.x, curve.y],
      [
        [0, 0.5, 1],
        [1, 3, 4],
      ],
    );
  });

  it('thins out evenly, keeps the first and the newest, and never grows beyond its size', () => {
    const curve = new Curve(100);
    for (let x = 0; x < 100_000; x++) {
      curve.add(x, x);
      assert.ok(curve.x.length <= 100);
      assert.equal(curve.x.at(-1), x);
    }
    const gaps = curve.x.slice(1, -1).map((x, index) => x - (curve.x[index] ?? 0));
    assert.equal(new Set(gaps).size, 1, 'even');
    assert.ok(curve.x.length > 40);
    assert.equal(curve.x[0], 0);
    assert.deepEqual(curve.x, curve.y);
  });

  it('drops what lies behind a point of a run that began again', () => {
    const curve = new Curve(10);
    for (const x of [1, 2, 3, 4]) curve.add(x, x);
    curve.add(2.5, 9);
    assert.deepEqual(curve.x, [1, 2, 2.5]);
    curve.add(0, 8);
    assert.deepEqual([curve.x, curve.y], [[0], [8]]);
  });
});
