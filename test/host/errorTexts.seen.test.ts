import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Fault } from '../brev-sim/sim.ts';
import { create } from './createWizard.ts';
import { scene } from './scene.ts';

const VIEW = 'brev.instances';
const L40S = 'g6e.xlarge';
const PROMPT = 'You are currently logged out, would you like to log in? [Y/n]: ';
const TRACE =
  '[error] \ngithub.com/brevdev/brev-cli/pkg/cmd/gpucreate.(*x).Run\n/home/runner/work/gpucreate.go:412\n: ';

interface Text {
  readonly meaning: string;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
  readonly says: string;
  readonly button: string;
}

/** Matchers of the contract's part 16 that a list can meet. */
const WHILE_LISTING: readonly Text[] = [
  {
    meaning: 'logged out',
    stdout: PROMPT,
    stderr: '2026/12/01 09:00:00.1 WARN RESTY EOF, Attempt 1\n2026/12/01 09:00:00.1 ERROR RESTY EOF\nEOF\n',
    says: 'You are signed out of Brev.',
    button: 'Sign In…',
  },
  {
    meaning: 'bad stored token, malformed',
    stdout: `no oauth found for token\nWARN: malformed refresh token, logging out\n${PROMPT}`,
    stderr: 'EOF\n',
    says: 'The stored Brev token is not usable any more. Sign in again.',
    button: 'Sign In…',
  },
  {
    meaning: 'bad stored token, of a strange issuer',
    stdout: 'no oauth found for token\n',
    exitCode: 1,
    says: 'The stored Brev token is not usable any more. Sign in again.',
    button: 'Sign In…',
  },
  {
    meaning: 'declined',
    stdout: PROMPT,
    stderr: 'declined to login\n',
    says: 'You are signed out of Brev.',
    button: 'Sign In…',
  },
  { meaning: 'eof', stderr: 'EOF\n', says: 'You are signed out of Brev.', button: 'Sign In…' },
  {
    meaning: 'truncated file race',
    stderr: 'unexpected end of JSON input\n',
    says: 'Brev gave an incomplete answer.',
    button: 'Look Again',
  },
  {
    meaning: 'offline',
    stderr: 'Get "https://brevapi/api/me": dial tcp 10.0.0.1:443: connect: connection refused\n',
    says: 'Brev cannot be reached. Check the network, a VPN or the proxy settings.',
    button: 'Look Again',
  },
  {
    meaning: 'offline, on the old path',
    stderr: 'possible internet connection problem, check your connection\n',
    says: 'Brev cannot be reached. Check the network, a VPN or the proxy settings.',
    button: 'Look Again',
  },
  {
    meaning: 'panic',
    stderr:
      'panic: runtime error: index out of range [0]\n\ngoroutine 1 [running]:\nmain.main()\n\t/x/main.go:7 +0x1\n',
    exitCode: 2,
    says: 'The Brev CLI crashed: runtime error: index out of range [0]',
    button: 'Show Log',
  },
  {
    meaning: 'no organisation',
    stderr: 'no orgs exist\n',
    says: 'Brev knows no such organisation for this account.',
    button: 'Sign In…',
  },
  {
    meaning: 'something that is in no catalogue, behind a trace',
    stderr: `${TRACE}${TRACE}the moon is in the way\n`,
    says: 'brev ls: the moon is in the way',
    button: 'Show Log',
  },
];

describe('What the CLI says, and what a person reads', () => {
  const now = scene();

  for (const { meaning, says, button, stdout = '', stderr = '', exitCode = 1 } of WHILE_LISTING) {
    it(`contract 16: ${meaning}`, async () => {
      const { screen, add, list, faults } = now();
      await add('kept');
      await list();
      await faults({ kind: 'error', command: 'ls', count: 'always', stdout, stderr, exitCode });
      await list();
      const told = await screen.notification(/./);
      assert.deepEqual([told.text, told.buttons], [says, [button]]);
      await screen.row('kept', /\(stale\) ·/);
      assert.deepEqual(await screen.toasts(), [says]);
    });
  }

  it('contract 16: the truncated file race passes by itself with one retry', async () => {
    const { screen, add, list, faults, calls } = now();
    await add('kept');
    await list();
    await faults({ kind: 'torn-credentials', command: 'ls' });
    const before = (await calls('ls')).length;
    await list();
    await screen.row('kept', /^running ·/);
    assert.ok((await calls('ls')).length > before + 1);
    assert.deepEqual(await screen.toasts(), []);
  });

  /** What is said when an action on an instance meets this. */
  async function whenActing(
    entry: string,
    press: string,
    fault: Fault,
  ): Promise<readonly [string, readonly string[]]> {
    const { screen, add, list, faults } = now();
    await add('acted', { status: entry.startsWith('Start') ? 'STOPPED' : 'RUNNING' });
    await list();
    await screen.row('acted', entry.startsWith('Start') ? /^stopped ·/ : /^running ·/);
    await faults(fault);
    await screen.menuOf(VIEW, 'acted');
    await screen.choose(entry);
    await screen.press(press);
    const told = await screen.notification(/./);
    return [told.text, told.buttons];
  }

  it('contract 16: not found', async () => {
    const stderr = `1 error occurred:\n\t* ${TRACE}instance with id/name acted not found\n\n\n`;
    assert.deepEqual(
      await whenActing('Delete Instance…', 'Delete', { kind: 'error', command: 'delete', stderr }),
      ['There is no instance acted (any more).', ['Look Again']],
    );
    assert.equal((await now().calls('delete')).length, 1);
  });

  it('contract 16: already running is no error', async () => {
    const { screen, add, list, faults } = now();
    await add('acted', { status: 'STOPPED' });
    await list();
    await screen.row('acted', /^stopped ·/);
    await faults({ kind: 'error', command: 'start', stderr: 'Instance is not stopped status=RUNNING\n' });
    await screen.menuOf(VIEW, 'acted');
    await screen.choose('Start Instance…');
    await now().sim.update('acted', { status: 'RUNNING' });
    await screen.press('Start');
    await screen.row('acted', /^ready ·/);
    assert.ok((await screen.toasts()).every((text) => text.startsWith('acted is ready')));
  });

  it('contract 7: start answers an unknown instance with exit 0, which is no success', async () => {
    const fault: Fault = {
      kind: 'error',
      command: 'start',
      stdout: 'tried to start with local path but path not found\nacted',
      exitCode: 0,
    };
    const [text, buttons] = await whenActing('Start Instance…', 'Start', fault);
    assert.match(text, /^There is no instance acted \(any more\)\.$/);
    assert.deepEqual(buttons, ['Look Again']);
  });

  it('contract 16: a create that failed for all types, without a reason', async () => {
    const { screen, list, faults, calls } = now();
    await list();
    await faults({
      kind: 'error',
      command: 'create',
      stderr: 'Warning: Only created 0/1 instances\ncould only create 0/1 instances\n',
    });
    await create(screen, { type: L40S, name: 'vain' });
    const told = await screen.notification(/could only/);
    assert.equal(told.text, 'brev create: could only create 0/1 instances');
    assert.equal((await calls('create')).length, 1);
  });

  it('contract 16: exec in a wrong state, and refresh poisoned by another instance, pass by waiting', async () => {
    const { screen, add, list, faults, calls } = now();
    await add('acted');
    await list();
    await faults(
      {
        kind: 'error',
        command: 'exec',
        stderr: `instance "acted" is in state "STARTING" — please check with: brev ls\n`,
      },
      {
        kind: 'error',
        command: 'exec',
        nth: 2,
        stderr:
          'Connection failed, checking instance status...\nworkspace abc has empty SSH user (workspace may not be running)\n',
      },
    );
    void vscode.commands.executeCommand('brev.checkReadiness', {
      kind: 'instance',
      id: (await now().sim.instance('acted')).id,
    });
    await screen.row('acted', /^ready ·/);
    assert.equal((await calls('exec')).length, 3);
  });
});
