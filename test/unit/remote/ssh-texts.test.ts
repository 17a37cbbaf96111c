import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRun } from '../../../src/process/run.ts';
import { socketBase } from '../../../src/remote/controlFolder.ts';
import { isInstance } from '../../../src/remote/machineIdentity.ts';
import { sshFailure } from '../../../src/remote/sshFailure.ts';
import { sshSettings } from '../../../src/remote/sshSettings.ts';
import { inEnglish } from '../../../src/values/message.ts';

describe('why ssh got no connection', () => {
  const cases: readonly [string, string, RegExp][] = [
    ['ssh: connect to host 10.0.0.1 port 22: Connection refused\r\n', 'unreachable', /gpu1 refuses SSH/],
    [
      'ssh: connect to host 10.0.0.1 port 22: Connection timed out\r\n',
      'unreachable',
      /gpu1 does not answer/,
    ],
    ['Connection timed out during banner exchange\r\n', 'unreachable', /gpu1 does not answer/],
    ['Timeout, server 10.0.0.1 not responding.\r\n', 'unreachable', /gpu1 does not answer/],
    ['ssh: Could not resolve hostname -: Name or service not known\r\n', 'hostUnresolvable', /no address/],
    ['ubuntu@10.0.0.1: Permission denied (publickey).\r\n', 'noSshAccess', /does not accept the SSH key/],
    [
      'Received disconnect from 10.0.0.1 port 22:2: Too many authentication failures\r\nConnection closed\r\n',
      'noSshAccess',
      /does not accept/,
    ],
    [
      'kex_exchange_identification: Connection closed by remote host\r\nConnection closed by UNKNOWN port 65535\r\n',
      'unreachable',
      /closes SSH connections/,
    ],
    [
      'unix_listener: path "/very/long" too long for Unix domain socket\r\n',
      'sshConfigBroken',
      /too long a path/,
    ],
    [
      '@ WARNING: UNPROTECTED PRIVATE KEY FILE! @\r\nubuntu@h: Permission denied (publickey).\r\n',
      'sshConfigBroken',
      /brev refresh/,
    ],
    [
      'Load key "/x/brev.pem": error in libcrypto\r\nu@h: Permission denied (publickey).',
      'sshConfigBroken',
      /key/,
    ],
    ['/x/ssh_config: line 3: Bad configuration option: foo\r\n', 'sshConfigBroken', /does not understand/],
    ['something\r\nof its own\r\n', 'unreachable', /gpu1: of its own$/],
    ['', 'unreachable', /did not say why/],
  ];
  for (const [stderr, kind, sentence] of cases) {
    it(JSON.stringify(stderr.trim().split('\n')[0]), () => {
      const failure = sshFailure('gpu1', stderr);
      assert.equal(failure.kind, kind);
      assert.match(inEnglish(failure.message), sentence);
      assert.equal(failure.detail, stderr.trim());
    });
  }
});

describe('isInstance', () => {
  const at = (hostName: string) => ({ hostName, loginShell: 'bash' });
  it('goes by the name of the machine', () => {
    assert.equal(isInstance(at('brev-5g1xtl74o'), '5g1xtl74o'), 'yes');
    assert.equal(isInstance(at('brev-5g1xtl74o.internal'), '5g1xtl74o'), 'yes');
    assert.equal(isInstance(at('brev-5g1xtl74o'), 'qowxlk8zt'), 'no');
  });
  it('knows nothing of machines with names of their own', () => {
    assert.equal(isInstance(at('9f86d081884c'), '5g1xtl74o'), 'unknown');
    assert.equal(isInstance(at('brev-devbox'), '5g1xtl74o'), 'unknown');
    assert.equal(isInstance(at(''), '5g1xtl74o'), 'unknown');
    assert.equal(isInstance(at('brev-5g1xtl74o'), 'an-id-of-another-kind'), 'unknown');
  });
});

describe('where the sockets are', () => {
  it('in the temporary folder while macOS could bind them there', () => {
    const ofMacOs = '/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T';
    assert.equal(socketBase(ofMacOs), ofMacOs);
    assert.equal(socketBase('/tmp'), '/tmp');
  });
  it('in /tmp when that is too long, or would mean something to ssh', () => {
    assert.equal(socketBase(`/private${'/very-long'.repeat(6)}`), '/tmp');
    assert.equal(socketBase('/home/me/my files'), '/tmp');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what ssh would replace
    assert.equal(socketBase('/tmp/${HOME}'), '/tmp');
  });
  it('never on Windows, whose ssh cannot share', () => {
    const options = { run: createRun(), environment: () => ({ HOME: '/home/me' }) };
    assert.equal(sshSettings({ ...options, platform: 'win32' }), undefined);
    assert.equal(sshSettings({ ...options, platform: 'linux' })?.configFile(), '/home/me/.brev/ssh_config');
  });
});
