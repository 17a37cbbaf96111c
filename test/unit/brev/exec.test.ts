import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { copyToInstance } from '../../../src/brev/copy.ts';
import { exec, execArguments, shellArguments } from '../../../src/brev/exec.ts';
import { argumentsOf, ODD_NAMES, refusal } from './outcomes.ts';

describe('exec', () => {
  it('is the name and one string, whatever is in it', () => {
    for (const line of ['true', 'echo ok', 'ls -la', 'it\'s $HOME `x` "q"\nnext', '学習', 'a --all']) {
      assert.deepEqual(execArguments('gpu1', line), { kind: 'ok', value: ['exec', 'gpu1', line] });
    }
    assert.deepEqual(argumentsOf(exec('gpu1', 'echo ok', 1_000)), ['exec', 'gpu1', 'echo ok']);
  });

  it('does not let a command be read as a local file or as a flag', () => {
    for (const line of ['@/etc/passwd', '@', '-rf', '--host', '-', '--', '--all']) {
      const args = argumentsOf(exec('gpu1', line, 1_000));
      assert.equal(args.length, 3);
      assert.match(args[2] ?? '', /^ [@-]/);
      assert.equal(args[2]?.trim(), line);
    }
  });

  it('refuses every name that a local shell would read', () => {
    for (const name of ODD_NAMES) {
      for (const outcome of [exec(name, 'true', 1), execArguments(name, 'true'), shellArguments(name)]) {
        assert.equal(refusal(outcome), 'unusableName', JSON.stringify(name));
      }
      assert.equal(refusal(copyToInstance('/tmp/a', name, 'b', 1)), 'unusableName', JSON.stringify(name));
    }
    for (const name of ['a', '0', 'gpu-1', 'A.b_c-D', 'a'.repeat(63), 'a..', 'a--b']) {
      assert.equal(exec(name, 'true', 1).kind, 'ok', name);
    }
  });

  it('is never repeated by itself, and has the time limit that it is given', () => {
    const outcome = exec('gpu1', 'true', 4_711);
    assert.ok(outcome.kind === 'ok');
    assert.equal(outcome.value.readOnly, false);
    assert.equal(outcome.value.timeoutMs, 4_711);
  });
});
