import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { mintToken } from '../brev-sim/sim.ts';
import { scene } from './scene.ts';
import type { Screen } from './screen.ts';

const VIEW = 'brev.instances';

describe('Two windows', () => {
  const now = scene();
  let other: Screen | undefined;

  before(async function () {
    // A whole VS Code begins.
    this.timeout(60_000);
    other = await now().screen.openWindow();
  });
  after(async () => {
    await other?.close();
  });
  const second = (): Screen => other ?? assert.fail('there is a second window');

  it('users D: #400/#387 both signed out, with one token: one sign-in', async () => {
    const { screen, add, list, calls, signOutCli, writeEnvFile, access } = now();
    await add('shared');
    signOutCli();
    const token = mintToken({ expiresInSeconds: 3_600 });
    writeEnvFile(`BREV_API_TOKEN=${token}\n`);
    await access.parts.session.signedInByHand();
    await second().openContainer('Brev');
    await Promise.all([second().pressInTitle(VIEW, 'Refresh Instances'), list()]);
    await screen.row('shared', /^running ·/);
    await second().row('shared', /^running ·/);
    assert.deepEqual(await calls('login'), [`login --token ${token}`]);
  });

  it('users D: coder#590 a sign-in in one window clears the welcome of the other', async () => {
    const { screen, add, list, calls, signOutCli, access } = now();
    await add('shared');
    signOutCli();
    access.parts.store.forget();
    await list();
    await second().pressInTitle(VIEW, 'Refresh Instances');
    await second()
      .row('shared', /stale/)
      .catch(() => undefined);
    await screen.pressInView(VIEW, 'Sign In');
    await screen.pick('With a token');
    await screen.until('the question', ({ quickInput }) => quickInput?.password);
    await screen.type(mintToken({ expiresInSeconds: 3_600 }));
    await screen.accept();
    await screen.row('shared', /^running ·/);
    await second().row('shared', /^running ·/);
    assert.equal((await calls('login')).length, 1);
  });

  it('users E: coder#217 both start the same instance: no error in either', async () => {
    const { screen, add, list, calls } = now();
    await add('started', { status: 'STOPPED' });
    await list();
    await second().forgetToasts();
    await second().pressInTitle(VIEW, 'Refresh Instances');
    for (const window of [screen, second()]) {
      await window.row('started', /^stopped ·/);
      await window.menuOf(VIEW, 'started');
      await window.choose('Start Instance…');
      await window.dialog(/^Start started\?/);
    }
    await Promise.all([screen.press('Start'), second().press('Start')]);
    await screen.row('started', /^ready ·/);
    await second().row('started', /^ready ·/);
    for (const window of [screen, second()]) {
      assert.deepEqual(
        (await window.look()).toasts.filter((text) => !/^started is ready/.test(text)),
        [],
      );
    }
    assert.equal((await calls('start')).length, 2);
  });
});
