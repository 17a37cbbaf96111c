import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Emitter } from '../../../src/values/emitter.ts';

describe('an emitter', () => {
  it('tells all listeners in the order in which they came', () => {
    const emitter = new Emitter<string>();
    const heard: string[] = [];
    emitter.listen((value) => heard.push(`first ${value}`));
    emitter.listen((value) => heard.push(`second ${value}`));
    emitter.emit('a');
    emitter.emit('b');
    assert.deepEqual(heard, ['first a', 'second a', 'first b', 'second b']);
  });

  it('does not tell who stopped listening, also when that happens while it tells', () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    const stopped = emitter.listen(() => heard.push('stopped'));
    emitter.listen(() => stopLater());
    const stopLater = emitter.listen(() => heard.push('disposed'));
    stopped();
    stopped();
    emitter.emit(1);
    assert.deepEqual(heard, []);
  });

  it('keeps two subscriptions of one listener apart', () => {
    const emitter = new Emitter<number>();
    let heard = 0;
    const listener = () => {
      heard++;
    };
    const stop = emitter.listen(listener);
    emitter.listen(listener);
    emitter.emit(1);
    assert.equal(heard, 2);
    stop();
    emitter.emit(1);
    assert.equal(heard, 3);
  });

  it('does not tell who begins to listen while it tells', () => {
    const emitter = new Emitter<number>();
    let late = 0;
    emitter.listen(() => {
      emitter.listen(() => {
        late++;
      });
    });
    emitter.emit(1);
    assert.equal(late, 0);
  });

  it('tells the others, and the world, when a listener throws', (t) => {
    const reported: (() => void)[] = [];
    t.mock.method(globalThis, 'queueMicrotask', (callback: () => void) => reported.push(callback));
    const emitter = new Emitter<number>();
    let heard = 0;
    emitter.listen(() => {
      throw new Error('a view was disposed');
    });
    emitter.listen(() => {
      heard++;
    });
    emitter.emit(1);
    t.mock.restoreAll();
    assert.equal(heard, 1);
    assert.equal(reported.length, 1);
    assert.throws(() => reported[0]?.(), /a view was disposed/);
  });
});
