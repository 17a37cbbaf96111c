import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { cloud, extension, until } from './extension.ts';

describe('The same run, after the window was reloaded', () => {
  it('is followed again to its end, and the local log is the remote one, byte for byte', async () => {
    const { parts } = await extension();
    const job = await until(parts.jobs.onChange, () => parts.jobs.all[0]);
    assert.notEqual(job.state, 'COMPLETE', 'the run was to outlive the reload');
    const { id } = job.details;
    await until(parts.jobs.onChange, () => (parts.jobs.find(id)?.state === 'COMPLETE' ? true : undefined));
    const { home, machine } = await (await cloud()).instance('train-l40s');
    const local = readFileSync(parts.jobs.logFile(id));
    const remote = readFileSync(path.join(home, '.brev-jobs', id, 'log'));
    assert.ok(local.length > 10_000, `the log has ${local.length} bytes`);
    assert.ok(local.equals(remote), 'the local log is the remote one');
    assert.match(local.toString('utf8'), /Execution status: PASS/);
    assert.equal(readdirSync(path.join(machine, 'docker/containers')).length, 1, 'one container ran');
  });
});
