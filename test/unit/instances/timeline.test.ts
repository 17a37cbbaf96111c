import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Instance, InstanceStatus } from '../../../src/instances/instance.ts';
import { advance, doubts, type Timeline } from '../../../src/instances/timeline.ts';

const instance = (status: InstanceStatus, build = '', shell = 'NOT READY', health = ''): Instance => ({
  id: 'i',
  name: 'a',
  status,
  reported: { status, build, shell, health },
  type: 't',
  gpu: undefined,
  usableName: true,
});

describe('the timeline of an instance', () => {
  it('notes when each signal was first seen', () => {
    let timeline: Timeline = {};
    const states = [
      instance('deploying'),
      instance('deploying'),
      instance('running', 'BUILDING'),
      instance('running', 'COMPLETED'),
      instance('running', 'COMPLETED', 'READY'),
      instance('unhealthy', 'COMPLETED', 'READY'),
    ];
    for (const [index, state] of states.entries()) {
      timeline = advance(timeline, state, index * 10);
    }
    assert.deepEqual(timeline, { created: 0, provisioning: 0, running: 20, built: 30, shell: 40 });
  });

  it('leaves the one before as it was', () => {
    const before: Timeline = {};
    advance(before, instance('running'), 1);
    assert.deepEqual(before, {});
  });

  it('does not take going for coming', () => {
    assert.deepEqual(advance({}, instance('stopping'), 1), { created: 1 });
    assert.deepEqual(advance({}, instance('deleting'), 1), { created: 1 });
    assert.deepEqual(advance({}, instance('stopped'), 1), { created: 1 });
  });
});

describe('doubts', () => {
  it('name what contradicts a machine that says it runs', () => {
    for (const [state, expected] of [
      [instance('running', 'COMPLETED', 'READY', 'HEALTHY'), []],
      [instance('running', '', 'NOT READY', 'HEALTHY'), ['buildMissing']],
      [instance('running', 'BUILDING'), ['buildUnfinished']],
      [instance('running', 'PENDING'), ['buildUnfinished']],
      [instance('running', 'CREATE_FAILED'), ['buildFailed']],
      [instance('running', 'COMPLETED', 'NOT READY'), ['shellNotReady']],
      [instance('unhealthy', 'COMPLETED', 'READY', 'UNHEALTHY'), ['unhealthy']],
      [instance('running', '', 'NOT READY', 'UNHEALTHY'), ['buildMissing', 'unhealthy']],
      [instance('stopped'), []],
      [instance('deploying', 'CREATE_FAILED'), []],
    ] as const) {
      assert.deepEqual(doubts(state), expected, JSON.stringify(state.reported));
    }
  });
});
