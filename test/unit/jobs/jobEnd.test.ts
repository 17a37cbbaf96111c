import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judge } from '../../../src/jobs/jobEnd.ts';
import type { JobEnd } from '../../../src/platforms/platform.ts';
import { inEnglish } from '../../../src/values/message.ts';

const end = (step: JobEnd['step'], fields: Partial<JobEnd> = {}): JobEnd => ({
  exitCode: undefined,
  outOfMemory: false,
  error: '',
  step,
  ...fields,
});

function verdict(one: JobEnd) {
  const { transition, sentence, action } = judge(one);
  return {
    state: transition.state,
    errorClass: transition.errorClass,
    words: transition.message,
    says: inEnglish(sentence),
    action,
  };
}

describe('the verdict on a job', () => {
  it('comes from the exit code of its program alone', () => {
    assert.equal(verdict(end('run', { exitCode: 0 })).state, 'COMPLETE');
    assert.equal(verdict(end('run', { exitCode: 0 })).errorClass, undefined);
    const failed = verdict(end('run', { exitCode: 1 }));
    assert.equal(failed.state, 'ERROR');
    assert.equal(failed.errorClass, 'ERR_PROGRAM');
    assert.match(failed.says, /exit code 1/);
    for (const exitCode of [137, 139, 143, 255]) {
      assert.match(verdict(end('run', { exitCode })).says, new RegExp(String(exitCode)));
    }
  });

  it('is unknown, never a guess, where nobody saw the end', () => {
    for (const one of [end('run'), end('lost', { error: 'the folder of the job is gone' })]) {
      assert.equal(verdict(one).state, 'UNKNOWN');
      assert.equal(verdict(one).errorClass, undefined);
    }
    assert.match(verdict(end('lost', { error: 'the folder is gone' })).says, /the folder is gone/);
  });

  it('is "canceled" for what was canceled, whatever its exit code', () => {
    for (const exitCode of [undefined, 0, 137]) {
      assert.equal(verdict(end('cancel', { exitCode })).state, 'CANCELED');
    }
  });

  it('does not blame the program for what the machine did', () => {
    for (const step of ['docker', 'login', 'pull', 'create', 'interrupted'] as const) {
      const { state, errorClass } = verdict(end(step, { exitCode: 125, error: 'why' }));
      assert.equal(state, 'ERROR', step);
      assert.equal(errorClass, 'ERR_INFRA', step);
    }
  });

  it('tells memory of the machine from memory of the GPU', () => {
    const killed = verdict(end('run', { exitCode: 137, outOfMemory: true }));
    assert.match(killed.says, /not GPU memory/);
    assert.equal(killed.errorClass, 'ERR_PROGRAM');
  });

  it('knows why an image could not be pulled, and what helps', () => {
    for (const [error, says, action] of [
      [
        'Error response from daemon: Head "https://nvcr.io/v2/x/manifests/1.0": unauthorized',
        /login to NGC/,
        'enterNgcKey',
      ],
      ['unauthorized: authentication required', /\$oauthtoken/, 'enterNgcKey'],
      [
        'pull access denied for nvcr.io/x, repository does not exist or may require authorization',
        /login/,
        'enterNgcKey',
      ],
      ['failed to fetch oauth token: unexpected status: 403 Forbidden', /no right to this image/, undefined],
      [
        'manifest for nvcr.io/x:9 not found: manifest unknown: manifest unknown',
        /no such image or tag/,
        undefined,
      ],
      ['failed to register layer: write /x: no space left on device', /disk is too full/, undefined],
      ['toomanyrequests: You have reached your pull rate limit', /later/, undefined],
      ['net/http: TLS handshake timeout', /could not be pulled: net\/http/, undefined],
    ] as const) {
      const its = verdict(end('pull', { exitCode: 125, error }));
      assert.match(its.says, says, error);
      assert.equal(its.action, action, error);
      assert.ok(its.words.includes(error));
    }
    assert.equal(verdict(end('login', { error: 'incorrect username or password' })).action, 'enterNgcKey');
  });

  it('knows a machine whose docker has no GPU', () => {
    const error = 'could not select device driver "" with capabilities: [[gpu]]';
    assert.match(verdict(end('create', { exitCode: 125, error })).says, /cannot use its GPUs/);
    assert.match(
      verdict(end('docker', { exitCode: 127, error: 'docker is not installed' })).says,
      /docker is not installed/,
    );
  });
});
