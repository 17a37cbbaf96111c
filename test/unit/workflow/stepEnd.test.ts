import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NEVER_LAUNCHED } from '../../../src/jobs/following.ts';
import { judge } from '../../../src/jobs/jobEnd.ts';
import followScript from '../../../src/platforms/brev/follow.sh';
import followSdkScript from '../../../src/platforms/brevSdk/followSdk.sh';
import type { JobEnd } from '../../../src/platforms/platform.ts';
import { stepEndOf } from '../../../src/workflow/stepEnd.ts';

/** How a step ends whose job ended so. */
function endAfter(end: Partial<JobEnd>): string | undefined {
  const { message, state } = judge({
    exitCode: undefined,
    step: 'run',
    outOfMemory: false,
    error: '',
    ...end,
  }).transition;
  return stepEndOf({ note: message, state })?.kind;
}

describe('the end of a step', () => {
  it('is no failure where nothing ran: a window was closed before the launch, or the launch came too late', () => {
    assert.equal(endAfter(NEVER_LAUNCHED), 'neverLaunched');
    const words = 'it was never launched';
    for (const script of [followScript, followSdkScript]) assert.ok(script.includes(words));
    assert.equal(endAfter({ step: 'launch', error: words }), 'neverLaunched');
  });

  it('is what became of a job that ran, or could not', () => {
    assert.equal(endAfter({ exitCode: 0 }), 'complete');
    assert.equal(endAfter({ exitCode: 3 }), 'failed');
    assert.equal(endAfter({ step: 'pull', error: 'manifest unknown' }), 'failed');
    assert.equal(endAfter({ step: 'cancel' }), 'cancelled');
    assert.equal(endAfter({ step: 'lost', error: 'gone' }), undefined);
  });
});
