import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deleteInstance, reset, start, stop } from '../../../src/brev/lifecycle.ts';
import { argumentsOf, refusal } from './outcomes.ts';

describe('start, stop, reset and delete', () => {
  const all = { start, stop, reset, delete: deleteInstance };

  it('take one id; start does not wait', () => {
    assert.deepEqual(argumentsOf(start('k3x9')), ['start', 'k3x9', '--detached']);
    assert.deepEqual(argumentsOf(stop('k3x9')), ['stop', 'k3x9']);
    assert.deepEqual(argumentsOf(reset('k3x9')), ['reset', 'k3x9']);
    assert.deepEqual(argumentsOf(deleteInstance('k3x9')), ['delete', 'k3x9']);
  });

  it('refuse what would be a flag, a path or an address: start may create from one', () => {
    const odd = [
      '',
      '-a',
      '--all',
      '.',
      '..',
      'a/b',
      '/tmp',
      'https://x',
      'git@x:y',
      'a b',
      'a\n',
      'self;',
      '学',
    ];
    for (const id of odd) {
      for (const command of Object.values(all)) {
        assert.equal(refusal(command(id)), 'unusableName', JSON.stringify(id));
      }
    }
  });

  it('are never repeated by themselves', () => {
    for (const command of Object.values(all)) {
      const outcome = command('k3x9');
      assert.ok(outcome.kind === 'ok' && !outcome.value.readOnly);
    }
  });

  it('knows a start that found nothing, although it exits with 0', () => {
    const outcome = start('k3x9');
    assert.ok(outcome.kind === 'ok');
    const { parse } = outcome.value;
    const stdout = 'tried to start with local path but path not found\nk3x9\n';
    assert.equal(refusal(parse({ stdout, stderr: '' })), 'instanceNotFound');
    assert.equal(
      parse({ stdout: 'Instance a is starting. \nNote: this can take about a minute.\n', stderr: '' }).kind,
      'ok',
    );
  });
});
