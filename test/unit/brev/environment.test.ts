import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cliEnvironment } from '../../../src/brev/environment.ts';

it('keeps the CLI from telling others, from leaking agents and from printing its token', () => {
  const environment = cliEnvironment({
    HOME: '/home/me',
    PATH: '/bin',
    DEBUG_HTTP: '1',
    DO_NOT_TRACK: '0',
    SSH_AUTH_SOCK: '',
    GONE: undefined,
  });
  assert.deepEqual(environment, {
    HOME: '/home/me',
    PATH: '/bin',
    DO_NOT_TRACK: '1',
    SSH_AUTH_SOCK: '/dev/null',
  });
});

it('leaves a real agent, and puts settings over what VS Code inherited', () => {
  const environment = cliEnvironment(
    { HOME: '/home/me', SSH_AUTH_SOCK: '/run/agent', HTTPS_PROXY: 'http://old' },
    { HTTPS_PROXY: 'http://new:1', DEBUG_HTTP: '1' },
  );
  assert.equal(environment.SSH_AUTH_SOCK, '/run/agent');
  assert.equal(environment.HTTPS_PROXY, 'http://new:1');
  assert.equal(environment.DEBUG_HTTP, undefined);
});

it('has a home even where VS Code has none: without one the CLI does nothing', () => {
  assert.match(cliEnvironment({}).HOME ?? '', /^\//);
});
