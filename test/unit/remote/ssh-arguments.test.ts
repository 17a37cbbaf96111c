import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  connectArguments,
  exitArguments,
  foundNoConnection,
  sessionArguments,
} from '../../../src/remote/sshArguments.ts';

const route = { configFile: '/home/me/.brev/ssh_config', alias: 'gpu1', socket: '/tmp/brev-1-abcdef/1' };
const quiet = [
  ...['-F', '/home/me/.brev/ssh_config', '-S', '/tmp/brev-1-abcdef/1', '-T'],
  ...['-o', 'BatchMode=yes', '-o', 'LogLevel=ERROR', '-o', 'ForwardAgent=no', '-o', 'AddKeysToAgent=no'],
  ...['-o', 'RequestTTY=no', '-o', 'RemoteCommand=none', '-o', 'ClearAllForwardings=yes'],
];

describe('the arguments of ssh', () => {
  it('connect: share, end when idle, notice a dead connection', () => {
    const args = connectArguments(route, { connectTimeoutSeconds: 10, idleSeconds: 30 }, 'echo ok');
    assert.deepEqual(args, [
      ...quiet,
      ...['-o', 'ControlMaster=auto', '-o', 'ControlPersist=30', '-o', 'ConnectTimeout=10'],
      ...['-o', 'ServerAliveInterval=10', '-o', 'ServerAliveCountMax=3'],
      ...['gpu1', 'echo ok'],
    ]);
  });

  it('session: never a connection of its own', () => {
    assert.deepEqual(sessionArguments(route, 'echo ok'), [
      ...quiet,
      ...['-o', 'ControlMaster=no', '-o', 'ProxyCommand=none'],
      ...['-o', 'AddressFamily=inet6', '-o', 'HostName=127.0.0.1'],
      ...['gpu1', 'echo ok'],
    ]);
  });

  it('exit: without any config', () => {
    assert.deepEqual(exitArguments('/tmp/s'), ['-F', '/dev/null', '-S', '/tmp/s', '-O', 'exit', 'brev']);
  });

  it('takes a percent sign in the path of a socket as one', () => {
    const args = sessionArguments({ ...route, socket: '/tmp/50%h/1' }, 'true');
    assert.equal(args[args.indexOf('-S') + 1], '/tmp/50%%h/1');
  });

  it('knows what ssh says when there was no connection to share, and only that', () => {
    assert.ok(
      foundNoConnection(
        'ssh: Could not resolve hostname 127.0.0.1: Address family for hostname not supported\r\n',
      ),
    );
    assert.ok(!foundNoConnection('ssh: Could not resolve hostname gpu1: Name or service not known'));
    assert.ok(!foundNoConnection('Connection to 127.0.0.1 closed by remote host.'));
  });
});
