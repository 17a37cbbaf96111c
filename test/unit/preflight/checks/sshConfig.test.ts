import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Inclusion, inclusionOf } from '../../../../src/preflight/checks/sshConfig.ts';

const FILE = '/home/me/.brev/ssh_config';

const configs: readonly [string, string, Inclusion][] = [
  ['nothing', '', 'no'],
  ["the CLI's own line", 'Include "/home/me/.brev/ssh_config"\nHost *\n  User x\n', 'always'],
  ['a tilde', 'Include ~/.brev/ssh_config\n', 'always'],
  ['another spelling of the keyword', '  include=/home/me/.brev/ssh_config\r\nHost a\r\n', 'always'],
  ['one of several names', 'Include config.d/a "~/.brev/ssh_config" b\n', 'always'],
  ['a name relative to ~/.ssh', 'Include ../.brev/ssh_config\n', 'always'],
  ['a home with blanks elsewhere', 'Include "/home/other me/.brev/ssh_config"\n', 'no'],
  ['a comment', '# Include ~/.brev/ssh_config\n#Include "/home/me/.brev/ssh_config"\n', 'no'],
  ['another file', 'Include ~/.brev/ssh_config.old\nInclude ~/.orbstack/ssh/config\n', 'no'],
  ['inside a host block', 'Host gw\n  User x\n\nInclude ~/.brev/ssh_config\n', 'forSomeHosts'],
  ['inside a match block', 'Match exec "true"\nInclude ~/.brev/ssh_config\n', 'forSomeHosts'],
  ['behind Host *', 'Host gw\n  User x\nHost *\nInclude ~/.brev/ssh_config\n', 'always'],
  ['behind Match all', 'Host gw\nMatch all\n  Include ~/.brev/ssh_config\n', 'always'],
  [
    'twice, the second for all',
    'Host a\nInclude ~/.brev/ssh_config\nHost *\nInclude ~/.brev/ssh_config\n',
    'always',
  ],
  ['a value that reads like it', 'RemoteCommand Include ~/.brev/ssh_config\n', 'no'],
];

for (const [what, config, expected] of configs) {
  it(`reads ${what}`, () => {
    assert.equal(inclusionOf(FILE, config, '/home/me'), expected);
  });
}

it('reads the line of a home with blanks', () => {
  assert.equal(
    inclusionOf(
      '/home/my self/.brev/ssh_config',
      'Include "/home/my self/.brev/ssh_config"\n',
      '/home/my self',
    ),
    'always',
  );
});
