import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inEnglish, message } from '../../../src/values/message.ts';

describe('a message in English', () => {
  it('has its values in their places, in any order and as often as they are named', () => {
    assert.equal(inEnglish(message('{1} of {0}, {1} again', 'b', 7)), '7 of b, 7 again');
  });

  it('takes values as they are', () => {
    assert.equal(inEnglish(message('<{0}|{1}>', '{1} $& $1', '')), '<{1} $& $1|>');
  });

  it('shows a place that has no value, and leaves other braces alone', () => {
    assert.equal(inEnglish(message('{0} {2} {} {x} {', 'a')), 'a {2} {} {x} {');
  });
});
