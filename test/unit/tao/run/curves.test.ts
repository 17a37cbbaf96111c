import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Curves } from '../../../../src/tao/run/curves.ts';

/** What a bar shows, as `name=value` words. */
const shown = (text: string) =>
  text.split(' ').map((word) => {
    const [name = '', value] = word.split('=');
    return { name, value: Number(value) };
  });

function points(curves: Curves, name: string): [number, number][] {
  const { x, y } = curves.points(name) ?? { x: [], y: [] };
  return x.map((place, index) => [place, y[index] ?? Number.NaN]);
}

describe('what a bar shows', () => {
  it('is a point of an epoch’s figure when it changes, not for as long as it stands there', () => {
    const curves = new Curves();
    for (const step of [1.25, 1.5, 2])
      curves.addShown(shown('loss=0.5 val_loss=0.3 train_loss_epoch=0.4'), step);
    curves.addShown(shown('loss=0.5 val_loss=0.2 train_loss_epoch=0.4'), 2);
    curves.addShown(shown('loss=0.5 val_loss=0.2 train_loss_epoch=0.3'), 2);
    assert.equal(points(curves, 'loss').length, 3);
    assert.deepEqual(points(curves, 'train_loss_epoch'), [
      [1.25, 0.4],
      [2, 0.3],
    ]);
    assert.deepEqual(points(curves, 'val_loss'), [
      [1.25, 0.3],
      [2, 0.2],
    ]);
  });

  it('is one also when two epochs end with the same loss', () => {
    const curves = new Curves();
    curves.addShown(shown('val_loss=0.3 train_loss_epoch=0.4'), 1);
    curves.addShown(shown('val_loss=0.3 train_loss_epoch=0.4'), 1.5);
    curves.addShown(shown('val_loss=0.3 train_loss_epoch=0.4'), 2);
    assert.equal(points(curves, 'train_loss_epoch').length, 1, 'the epoch before is still shown');
    curves.addShown(shown('val_loss=0.2 train_loss_epoch=0.4'), 2);
    assert.deepEqual(points(curves, 'train_loss_epoch'), [
      [1, 0.4],
      [2, 0.4],
    ]);
  });

  it('is none of a validation that was not run again', () => {
    const curves = new Curves();
    curves.addShown(shown('val_loss=0.3 train_loss_epoch=0.4'), 1);
    curves.addShown(shown('val_loss=0.3 train_loss_epoch=0.35'), 2);
    assert.deepEqual(points(curves, 'val_loss'), [[1, 0.3]]);
  });
});

describe('Curves', () => {
  it('takes a figure that a bar goes on showing once', () => {
    const curves = new Curves();
    for (const [x, value] of [
      [1, 0.5],
      [1.1, 0.5],
      [2, Number.NaN],
      [2.1, Number.NaN],
      [3, 0.5],
    ] as const) {
      curves.addShown([{ name: 'val_loss', value }], x);
    }
    assert.deepEqual(curves.points('val_loss'), {
      name: 'val_loss',
      kind: 'epoch',
      x: [1, 2, 3],
      y: [0.5, Number.NaN, 0.5],
    });
    assert.equal(curves.points('other'), undefined);
  });

  it('holds so many and no more', () => {
    const curves = new Curves();
    for (let index = 0; index < 1000; index++) curves.add(`figure_${index}`, 0, 0);
    assert.equal(curves.names().length, 64);
  });
});
