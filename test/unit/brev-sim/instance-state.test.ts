import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Instance, look, type Motion } from '../../brev-sim/cloud/instance.ts';

const TIMINGS = {
  deployMs: 1_000,
  buildMs: 500,
  sshMs: 200,
  startMs: 400,
  stopMs: 300,
  deleteMs: 100,
};

const SETTLED: Instance = {
  id: 'abc',
  name: 'a',
  type: 'g5.xlarge',
  orgId: 'o',
  owner: 'me',
  shared: false,
  status: 'RUNNING',
  buildStatus: 'COMPLETED',
  healthStatus: 'HEALTHY',
  statusMessage: '',
  ssh: 'ok',
  sshHost: '127.0.0.1',
  sshPort: 1,
  sshUser: 'ubuntu',
  docker: true,
  diskGb: 120,
  cloudCredId: '',
  workspaceGroupId: '',
  createdAt: 0,
};

const at = (ms: number, motion: Motion, speed = 1, more: Partial<Instance> = {}) => {
  const { status, buildStatus, ssh, gone } = look({ ...SETTLED, ...more, motion }, ms, speed, TIMINGS);
  return [status, buildStatus, ssh, gone];
};

test('without a motion an instance stays as it is', () => {
  const sight = look({ ...SETTLED, status: 'ODD' }, 1e12, 50, TIMINGS);
  assert.partialDeepStrictEqual(sight, { status: 'ODD', buildStatus: 'COMPLETED', gone: false });
});

test('a deployment: RUNNING long before ssh and the build', () => {
  const deploy: Motion = { kind: 'deploy', since: 0, outcome: 'ok' };
  assert.deepEqual(at(0, deploy), ['DEPLOYING', '', 'refused', false]);
  assert.deepEqual(at(999, deploy), ['DEPLOYING', 'PENDING', 'refused', false]);
  assert.deepEqual(at(1_000, deploy), ['RUNNING', 'BUILDING', 'refused', false]);
  assert.deepEqual(at(1_200, deploy), ['RUNNING', 'BUILDING', 'ok', false]);
  assert.deepEqual(at(1_500, deploy), ['RUNNING', 'COMPLETED', 'ok', false]);
});

test('deployments that fail or never end', () => {
  assert.deepEqual(at(1e9, { kind: 'deploy', since: 0, outcome: 'never' }), [
    'DEPLOYING',
    'PENDING',
    'refused',
    false,
  ]);
  const failed: Motion = { kind: 'deploy', since: 0, outcome: 'failure', message: 'no quota' };
  assert.deepEqual(at(1_000, failed), ['FAILURE', 'CREATE_FAILED', 'refused', false]);
  assert.equal(look({ ...SETTLED, motion: failed }, 1_000, 1, TIMINGS).statusMessage, 'no quota');
});

test('stop, start, reset, delete', () => {
  assert.deepEqual(at(299, { kind: 'stop', since: 0 }), ['STOPPING', 'COMPLETED', 'timeout', false]);
  assert.deepEqual(at(300, { kind: 'stop', since: 0 }), ['STOPPED', 'COMPLETED', 'timeout', false]);
  assert.deepEqual(at(399, { kind: 'start', since: 0 }), ['STARTING', 'COMPLETED', 'refused', false]);
  assert.deepEqual(at(400, { kind: 'start', since: 0 }), ['RUNNING', 'COMPLETED', 'refused', false]);
  assert.deepEqual(at(600, { kind: 'start', since: 0 }), ['RUNNING', 'COMPLETED', 'ok', false]);
  assert.deepEqual(at(400, { kind: 'reset', since: 0 }), ['RUNNING', 'BUILDING', 'refused', false]);
  assert.deepEqual(at(99, { kind: 'delete', since: 0 }), ['DELETING', 'COMPLETED', 'refused', false]);
  assert.equal(at(100, { kind: 'delete', since: 0 })[3], true);
  assert.deepEqual(at(1e9, { kind: 'delete', since: 0, lists: 1 }), [
    'RUNNING',
    'COMPLETED',
    'refused',
    false,
  ]);
});

test('the clock runs as fast as the cloud says', () => {
  assert.equal(at(20, { kind: 'deploy', since: 0, outcome: 'ok' }, 50)[0], 'RUNNING');
  assert.equal(at(19, { kind: 'deploy', since: 0, outcome: 'ok' }, 50)[0], 'DEPLOYING');
});
