import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import * as z from 'zod/mini';
import { failureOf, value } from '../../../support/outcomes.ts';
import { logFile, noSecrets, small, world } from './support.ts';

const creation = z.object({
  metadata: z.object({ id: z.string() }),
  spec: z.looseObject({ container: z.object({ image: z.string(), command: z.array(z.string()) }) }),
});

describe('submitting', () => {
  it('sends what was asked for', async (t) => {
    const { sim, submit } = await world(t);
    sim.secrets.set('HF_TOKEN', 'hf-value').set('team-wandb', 'wandb-value');
    const submitted = await submit('dino-train-a1b2c3', 'true', {
      secrets: { environment: new Map([['HF_TOKEN', 'local-hf-value']]), ngcKey: undefined },
      placement: {
        resourceShape: 'gpu.8xh100-80gb',
        nodeGroup: 'h100-ng',
        nodes: 2,
        image: 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt',
        imagePullSecrets: ['ngc'],
        secretNames: { WANDB_API_KEY: 'team-wandb' },
        environment: { NCCL_DEBUG: 'INFO' },
        sharedMemoryMib: 65_536,
        keepSeconds: 3_600,
      },
    });
    const [job] = sim.jobs();
    assert.equal(value(submitted).backendRef, `ws1/${job?.id}`);
    const body = sim.calls.find(({ method }) => method === 'POST')?.body;
    const { container, ...spec } = creation.parse(body).spec;
    assert.equal(container.image, 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt');
    assert.deepEqual(container.command.slice(0, 2), ['/bin/bash', '-c']);
    // lep's own screens choke on brackets
    assert.doesNotMatch(container.command[2] ?? '', /[[\]]/);
    assert.deepEqual(spec, {
      resource_shape: 'gpu.8xh100-80gb',
      affinity: { allowed_dedicated_node_groups: ['h100-ng'] },
      completions: 2,
      parallelism: 2,
      intra_job_communication: true,
      envs: [
        { name: 'PYTHONUNBUFFERED', value: '1' },
        { name: 'TAO_JOB_ID', value: 'dino-train-a1b2c3' },
        { name: 'NCCL_DEBUG', value: 'INFO' },
        { name: 'HF_TOKEN', value_from: { secret_name_ref: 'HF_TOKEN' } },
        { name: 'WANDB_API_KEY', value_from: { secret_name_ref: 'team-wandb' } },
      ],
      image_pull_secrets: ['ngc'],
      shared_memory_size: 65_536,
      ttl_seconds_after_finished: 3_600,
      max_failure_retry: 0,
    });
    assert.doesNotMatch(JSON.stringify(sim.calls), /hf-value|wandb-value/);
  });

  it('runs a spec, with its inputs and outputs in S3', async (t) => {
    const { sim, submit, follow, folder } = await world(t);
    await writeFile(path.join(folder, 'aws'), '#!/bin/sh\necho "aws $*"\n', { mode: 0o755 });
    await writeFile(path.join(folder, 'dino'), '#!/bin/sh\necho "dino $1"; cat "$3"; exit 3\n', {
      mode: 0o755,
    });
    await submit('dino-train-000001', '', {
      work: {
        kind: 'spec',
        spec: {
          network: 'dino',
          action: 'train',
          image: 'tao',
          gpus: 'all',
          specFile: { name: 'a.yaml', content: Buffer.from('epochs: [1]\n') },
        },
      },
      placement: {
        ...small,
        environment: { PATH: `${folder}:${process.env.PATH ?? ''}` },
        inputs: [{ kind: 'folder', uri: 's3://b/data', path: `${folder}/data` }],
        outputs: [{ kind: 'folder', uri: 's3://b/results', path: `${folder}/results` }],
      },
    });
    const { end } = await follow('dino-train-000001');
    assert.deepEqual(end, { exitCode: 3, step: 'run', outOfMemory: false, error: '' });
    assert.equal(
      await readFile(logFile(folder, 'dino-train-000001'), 'utf8'),
      [
        `aws s3 cp --recursive --only-show-errors s3://b/data ${folder}/data`,
        'dino train',
        'epochs: [1]',
        `aws s3 cp --recursive --only-show-errors ${folder}/results s3://b/results`,
        '',
        '[tao-job dino-train-000001] exit code 3',
        '',
      ].join('\n'),
    );
    assert.equal(sim.jobs().length, 1);
  });

  it('fails when results could not be sent', async (t) => {
    const { submit, follow, folder } = await world(t);
    await writeFile(path.join(folder, 'aws'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    await submit('job-000002', 'true', {
      placement: {
        ...small,
        environment: { PATH: `${folder}:${process.env.PATH ?? ''}` },
        outputs: [{ kind: 'file', uri: 's3://b/r', path: `${folder}/r` }],
      },
    });
    assert.equal((await follow('job-000002')).end?.exitCode, 74);
  });

  it('refuses what can never run, before anything is sent', async (t) => {
    const { sim, submit } = await world(t);
    const sentence = async (placement: object): Promise<string> =>
      failureOf(await submit('job-000003', 'true', { placement: { ...small, ...placement } })).sentence;
    assert.match(await sentence({ nodes: 0 }), /one node or more, not 0/);
    assert.match(await sentence({ resourceShape: '' }), /needs a resource shape/);
    assert.match(await sentence({ image: undefined }), /needs a container image/);
    assert.match(failureOf(await submit('job-000003', 'x'.repeat(200_000))).sentence, /too long/);
    assert.deepEqual(sim.calls, []);
    const missing = await submit('job-000003', 'true', {
      secrets: { ...noSecrets, environment: new Map([['HF_TOKEN', 'value']]) },
    });
    assert.match(failureOf(missing).sentence, /has no secret HF_TOKEN/);
    assert.equal(sim.jobs().length, 0);
  });
});

describe('exactly once', () => {
  it('finds the job of a submission that is repeated', async (t) => {
    const { sim, submit } = await world(t);
    const first = value(await submit('job-000004', 'true'));
    assert.deepEqual(value(await submit('job-000004', 'true')), first);
    assert.equal(sim.jobs().length, 1);
  });

  for (const what of [{ kind: 'doneButReset' }, { kind: 'doneButStatus', status: 504 }] as const) {
    it(`finds the job whose creation was answered by ${what.kind}`, async (t) => {
      const { sim, submit } = await world(t);
      sim.fail({ on: /^POST \/jobs$/, what });
      value(await submit('job-000005', 'true'));
      assert.equal(sim.jobs().length, 1);
      assert.equal(sim.calls.filter(({ method }) => method === 'POST').length, 1);
    });
  }

  it('says that it does not know when there is no job after all', async (t) => {
    const { sim, submit } = await world(t);
    sim.fail({ on: /^POST \/jobs$/, what: { kind: 'reset' } });
    const failure = failureOf(await submit('job-000006', 'true'));
    assert.equal(failure.kind, 'createOutcomeUnknown');
    assert.equal(failure.retrySafe, false);
    assert.equal(sim.calls.filter(({ method }) => method === 'POST').length, 1);
  });

  it('takes a refusal as one', async (t) => {
    const { sim, submit } = await world(t);
    const refused = failureOf(
      await submit('job-000007', 'true', { placement: { ...small, resourceShape: 'gpu.none' } }),
    );
    assert.match(refused.sentence, /HTTP 400.*unknown resource shape gpu\.none/);
    sim.fail({ on: /^POST \/jobs$/, what: { kind: 'status', status: 403 } });
    assert.equal(failureOf(await submit('job-000007', 'true')).kind, 'forbidden');
  });
});

describe('cancelling', () => {
  it('stops a running job and sees that it has stopped', async (t) => {
    const { sim, submit, platform, target, follow } = await world(t);
    await submit('job-000008', 'echo begun; sleep 600');
    const following = follow('job-000008');
    const cancelled = await platform.cancel(target('job-000008'), new AbortController().signal);
    value(cancelled);
    assert.equal(sim.jobs()[0]?.state, 'Stopped');
    assert.equal((await following).end?.step, 'cancel');
    value(await platform.cancel(target('job-000008'), new AbortController().signal));
    assert.equal(sim.calls.filter(({ method }) => method === 'PATCH').length, 1);
  });

  it('tells when the job does not stop', async (t) => {
    const { sim, submit, platform, target } = await world(t, { timings: { stopMs: 0 } });
    sim.behave('job-000009', { toldState: 'Stopping', queueForEver: true });
    await submit('job-000009', 'true');
    const failure = failureOf(await platform.cancel(target('job-000009'), new AbortController().signal));
    assert.match(failure.sentence, /has not stopped yet/);
  });

  it('has nothing to do where there is no job', async (t) => {
    const { platform, target } = await world(t);
    value(await platform.cancel(target('job-000010'), new AbortController().signal));
  });

  it('does not look into another workspace', async (t) => {
    const { sim, platform, target } = await world(t);
    const outcome = await platform.cancel(
      { ...target('job-000011'), instanceId: 'ws2' },
      new AbortController().signal,
    );
    assert.match(failureOf(outcome).sentence, /is in the Lepton workspace ws2, but .* is ws1/);
    assert.deepEqual(sim.calls, []);
  });
});
