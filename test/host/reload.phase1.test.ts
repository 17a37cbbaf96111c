import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { extension, until } from './extension.ts';
import { startTraining } from './training.ts';

describe('A run, before the window is reloaded', () => {
  it('starts and its log arrives', async () => {
    const { parts } = await extension();
    // long enough to be in its middle when the window goes away
    const job = await startTraining(parts, { instance: 'train-l40s', epochs: 400 });
    const running = await until(parts.jobs.onChange, () => {
      const now = parts.jobs.find(job.details.id);
      return now?.state === 'RUNNING' ? now : undefined;
    });
    assert.equal(running.trouble, undefined);
  });
});
