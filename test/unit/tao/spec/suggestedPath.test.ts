import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { suggestedPath } from '../../../../src/tao/spec/suggestedPath.ts';

describe('the place of a path below the data folder', () => {
  const places: readonly (readonly [string, string | undefined])[] = [
    ['~/data/coco/train', '/data/coco/train'],
    ['/home/ann/data/coco', '/data/coco'],
    ['C:\\Users\\ann\\data\\coco\\', '/data/coco'],
    ['D:\\sets\\coco', '/data/coco'],
    ['/mnt/nas/coco/', '/data/coco'],
    ['./coco/train', '/data/coco/train'],
    ['../coco', '/data/coco'],
    ['/mnt/shards/{000..099}.tar', '/data/shards/{000..099}.tar'],
    ['/*.png', '/data/*.png'],
    ['/mnt/\u0024{name}/x', undefined],
    ['~', undefined],
    ['C:\\', undefined],
  ];
  for (const [value, expected] of places) {
    it(`${value} → ${expected}`, () => assert.equal(suggestedPath(value), expected));
  }
});
