import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ls } from '../../../src/brev/ls.ts';
import {
  type Instance,
  isInTransition,
  isOn,
  sameInstance,
  toInstance,
} from '../../../src/instances/instance.ts';
import { ODD_NAMES } from '../brev/outcomes.ts';
import { row } from '../brev/recordedCli.ts';

function instance(fields: Readonly<Record<string, unknown>> = {}, name = 'a'): Instance {
  const outcome = ls().parse({ stdout: JSON.stringify([row(name, fields)]), stderr: '' });
  assert.ok(outcome.kind === 'ok');
  const [first] = outcome.value.rows;
  assert.ok(first !== undefined);
  return toInstance(first);
}

describe('an instance', () => {
  it('has one word for each state that the CLI says, and "unknown" for the rest', () => {
    for (const [said, status, on, moving] of [
      ['RUNNING', 'running', true, false],
      ['UNHEALTHY', 'unhealthy', true, false],
      ['STARTING', 'starting', false, true],
      ['DEPLOYING', 'deploying', false, true],
      ['STOPPING', 'stopping', false, true],
      ['DELETING', 'deleting', false, true],
      ['STOPPED', 'stopped', false, false],
      ['FAILURE', 'failed', false, false],
      ['running', 'running', true, false],
      ['HIBERNATING', 'unknown', false, false],
      ['', 'unknown', false, false],
      ['constructor', 'unknown', false, false],
      ['__proto__', 'unknown', false, false],
    ] as const) {
      const it = instance({ status: said });
      assert.equal(it.status, status, said);
      assert.equal(it.reported.status, said);
      assert.equal(isOn(it), on, said);
      assert.equal(isInTransition(it), moving, said);
    }
  });

  it('has an unknown GPU, not none, where the CLI does not say which', () => {
    assert.equal(instance({ gpu: 'L40S' }).gpu, 'L40S');
    for (const gpu of ['-', '', null]) {
      assert.equal(instance({ gpu, instance_type: 'massedcompute_L40S' }).gpu, undefined);
      assert.equal(instance({ gpu, instance_type: 'massedcompute_L40S' }).type, 'massedcompute_L40S');
    }
  });

  it('says whether its name may be used for commands', () => {
    assert.equal(instance().usableName, true);
    for (const name of ODD_NAMES) {
      assert.equal(instance({}, name).usableName, false, JSON.stringify(name));
    }
  });

  it('is the same only while all that is shown is', () => {
    assert.equal(sameInstance(instance(), instance()), true);
    for (const field of [
      'status',
      'build_status',
      'shell_status',
      'health_status',
      'instance_type',
      'gpu',
      'name',
    ]) {
      assert.equal(sameInstance(instance(), instance({ [field]: 'other' })), false, field);
    }
  });
});
