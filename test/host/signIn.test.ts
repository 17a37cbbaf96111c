import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { mintToken } from '../brev-sim/sim.ts';
import { eventually } from '../support/eventually.ts';
import type { Look } from '../support/screen-look.ts';
import { create } from './createWizard.ts';
import { scene } from './scene.ts';

const VIEW = 'brev.instances';
const L40S = 'g6e.xlarge';
const PROMPT = 'You are currently logged out, would you like to log in? [Y/n]: ';

const goodToken = () => mintToken({ expiresInSeconds: 3_600 });
const refusedToken = () => mintToken({ expiresInSeconds: 3_600, accepted: false });

describe('Signing in', () => {
  const now = scene();

  /** As in a window that has just been opened, of somebody who is signed out. */
  async function begin(): Promise<void> {
    const { access, signOutCli } = now();
    signOutCli();
    await access.parts.session.signedInByHand();
    access.parts.store.forget();
  }

  it('users D: #400/#387 signed out, nothing is asked on stdin; the welcome signs in by a token that is entered', async () => {
    const { screen, add, list, calls, fullCalls } = now();
    await add('mine');
    await begin();
    await list();
    assert.deepEqual((await screen.until('the welcome', signedOut)).buttons, ['Sign In', 'Look again']);
    assert.deepEqual(new Set(await calls()), new Set(['ls --json']));
    const token = goodToken();
    await screen.pressInView(VIEW, 'Sign In');
    const { rows } = await screen.quickInput(/Sign In to Brev/);
    assert.equal(rows.length, 3, rows.join('\n'));
    await screen.pick('With a token');
    const asked = await screen.until('the question', ({ quickInput }) => quickInput?.password && quickInput);
    assert.match(asked.message, /token from the Brev console\. It is kept in the secret storage/);
    await screen.type('two words');
    await screen.until('a refusal', ({ quickInput }) => quickInput?.invalid);
    await screen.type(token);
    await screen.accept();
    await screen.row('mine', /^running · \$2\.23\/h/);
    assert.deepEqual(await calls('login'), [`login --token ${token}`]);
    assert.equal((await calls())[0], 'ls --json');
    for (const { stdin } of await fullCalls()) assert.equal(stdin, 'null');
    assert.deepEqual(await screen.toasts(), []);
  });

  it('users D: TAO skill an environment token is no sign-in by itself: login comes before the first other call', async () => {
    const { screen, add, list, calls } = now();
    await add('mine');
    await begin();
    const token = goodToken();
    process.env.BREV_API_TOKEN = token;
    await list();
    await screen.row('mine', /^running ·/);
    assert.deepEqual((await calls('login', 'ls')).slice(0, 2), [`login --token ${token}`, 'ls --json']);
    assert.equal((await calls('login')).length, 1);
  });

  it('features 9: environment, then env file, then what was entered; and it is said which one is in use', async () => {
    const { access, screen, list, calls, writeEnvFile, envFile } = now();
    const [environment, file, entered] = [goodToken(), goodToken(), goodToken()];
    writeEnvFile(`# tao\nBREV_API_TOKEN=${file}\n`);
    process.env.BREV_API_TOKEN = environment;
    void access.parts.credentials.enter('BREV_API_TOKEN', 'why');
    await screen.quickInput();
    await screen.type(entered);
    await screen.accept();
    await screen.noQuickInput();
    const inUse = async (): Promise<string | undefined> => {
      void vscode.commands.executeCommand('brev.signIn');
      const { rows } = await screen.quickInput(/Sign In/);
      await screen.escape();
      await screen.noQuickInput();
      return rows.find((row) => row.startsWith('With a token'));
    };
    await begin();
    await list();
    assert.match((await inUse()) ?? '', /In use now: BREV_API_TOKEN from the environment/);
    delete process.env.BREV_API_TOKEN;
    await begin();
    await list();
    assert.ok((await inUse())?.includes(`from ${envFile}`));
    writeEnvFile('');
    await begin();
    await list();
    assert.match((await inUse()) ?? '', /from VS Code's secret storage/);
    assert.deepEqual(
      await calls('login'),
      [environment, file, entered].map((token) => `login --token ${token}`),
    );
  });

  it('features 10: a token that Brev refuses is stale: one sign-in, one retry, and a new one is asked for', async () => {
    const { screen, add, list, calls } = now();
    await add('mine');
    await begin();
    const stale = refusedToken();
    process.env.BREV_API_TOKEN = stale;
    await list();
    await screen.until('the welcome', tokenStale);
    assert.match((await screen.view(VIEW)).description, /^The Brev token is stale/);
    assert.deepEqual(await calls('login'), [`login --token ${stale}`]);
    const lists = (await calls('ls')).length;
    assert.ok(lists <= 2, `${lists} lists`);
    await screen.pressInView(VIEW, 'Look again');
    await eventually(async () => (await calls('ls')).length > lists);
    assert.equal((await calls('login')).length, 1, 'a refused token is not tried again');
    delete process.env.BREV_API_TOKEN;
    await screen.pressInView(VIEW, 'Sign In');
    await screen.pick('With a token');
    await screen.until('the question', ({ quickInput }) => quickInput?.password);
    await screen.type(goodToken());
    await screen.accept();
    await screen.row('mine', /^running ·/);
    assert.equal((await calls('login')).length, 2);
  });

  it('users D: TAO skill a list that fails for ever is retried exactly once', async () => {
    const { screen, add, list, calls, faults, access } = now();
    await add('mine');
    await list();
    process.env.BREV_API_TOKEN = goodToken();
    await faults({
      kind: 'error',
      command: 'ls',
      count: 'always',
      stdout: PROMPT,
      stderr: 'EOF\n',
    });
    const before = (await calls('ls')).length;
    await access.parts.store.refresh();
    const told = await screen.notification(/stale/);
    assert.equal(told.text, 'The Brev token is stale: Brev does not accept it any more. Enter a new one.');
    assert.deepEqual(told.buttons, ['Enter New Token…']);
    await screen.row('mine', /stale/);
    assert.equal((await calls('ls')).length, before + 2);
    assert.equal((await calls('login')).length, 1);
    await screen.press('Enter New Token…');
    const where = await screen.notification(/is set in the environment/);
    assert.equal(where.text, 'BREV_API_TOKEN is set in the environment, which comes first. Change it there.');
  });

  it('users D: #230/#227 a refresh token that is invalid: signed out, and no token in what is shown', async () => {
    const { screen, list, faults, access, calls } = now();
    access.parts.store.forget();
    await faults({
      kind: 'error',
      command: 'ls',
      count: 'always',
      stdout: `WARN: malformed refresh token, logging out\n${PROMPT}`,
      stderr: 'EOF\n',
    });
    await list();
    await screen.until('the welcome', tokenStale);
    assert.match((await screen.view(VIEW)).description, /token is not usable any more/);
    assert.deepEqual(await calls('login'), []);
  });

  it('users D: coder#590 signed out, nothing polls; a sign-in in a terminal brings the list back by itself', async () => {
    const { screen, add, list, calls, signOutCli, signInCli, access } = now();
    await add('mine');
    await list();
    signOutCli();
    await access.parts.store.refresh();
    const told = await screen.notification(/You are signed out of Brev/);
    assert.deepEqual(told.buttons, ['Sign In…']);
    await screen.row('mine', /^running \(stale\) ·/);
    assert.equal(access.parts.store.needsUser, true);
    const before = (await calls('ls')).length;
    await access.parts.store.refresh();
    assert.deepEqual(await screen.toasts(), ['You are signed out of Brev.'], 'told once');
    signInCli();
    await screen.row('mine', /^running ·/);
    assert.ok((await calls('ls')).length > before);
    assert.deepEqual(await calls('login'), []);
  });

  it('users D: Brev api-keys a read-only key lists; it is signed in by its own form, which is checked', async () => {
    const { screen, add, list, calls } = now();
    await add('mine');
    await begin();
    await list();
    await screen.until('the welcome', signedOut);
    await screen.pressInView(VIEW, 'Sign In');
    await screen.pick('With an API key');
    await screen.quickInput(/\(1\/2\)/);
    await screen.type('not-a-key');
    await screen.until('a refusal', ({ quickInput }) => /begins with bak-/.test(quickInput?.message ?? ''));
    await screen.type('bak-0123456789');
    await screen.accept();
    await screen.quickInput(/\(2\/2\)/);
    await screen.type('org-research');
    await screen.accept();
    await screen.row('mine', /^running ·/);
    assert.deepEqual(await calls('login'), ['login --api-key bak-0123456789 --org-id org-research']);
  });

  it('in the browser: the CLI asks in a terminal, and the list comes by itself', async () => {
    const { screen, add, list } = now();
    await add('mine');
    await begin();
    await list();
    await screen.until('the welcome', signedOut);
    await screen.pressInView(VIEW, 'Sign In');
    await screen.pick('In the browser');
    await eventually(() => vscode.window.activeTerminal?.name === 'Brev sign-in');
    vscode.window.activeTerminal?.sendText('someone@example.com');
    await screen.row('mine', /^running ·/);
  });

  it('features 9: an auth EOF in the middle of a create signs in once, and one instance is bought', async () => {
    const { screen, list, calls, faults, sim } = now();
    await list();
    process.env.BREV_API_TOKEN = goodToken();
    await faults({ kind: 'token-expired', command: 'create', refreshable: false });
    await create(screen, { type: L40S, name: 'once' });
    await screen.row('once');
    assert.deepEqual(
      (await calls('create', 'login')).map((line) => line.split(' ')[0]),
      ['create', 'login', 'create'],
    );
    assert.equal((await sim.instances()).length, 1);
  });

  it('signing out asks, and a token that lies around does not undo it', async () => {
    const { screen, add, list, calls, access } = now();
    await add('mine');
    await list();
    process.env.BREV_API_TOKEN = goodToken();
    void vscode.commands.executeCommand('brev.signOut');
    assert.match(
      (await screen.dialog(/^Sign out of Brev\?/)).detail,
      /Instances and jobs go on running, and billing/,
    );
    await screen.press('Sign Out');
    await screen.until('the welcome', signedOut);
    await access.parts.store.refresh();
    assert.deepEqual(await calls('login', 'logout'), ['logout']);
  });

  it('users D: #385 another organisation: what belonged to the old one leaves the view', async () => {
    const { screen, add, list, calls } = now();
    await add('here');
    await add('there', { orgId: 'org-vision' });
    await list();
    await screen.row('here');
    void vscode.commands.executeCommand('brev.switchOrganisation');
    const { rows } = await screen.quickInput(/Switch Organisation/);
    assert.deepEqual(rows, ['research, active', 'Vision-Lab, org-vision']);
    await screen.pick('Vision-Lab');
    await screen.row('there');
    await screen.noRow('here');
    assert.deepEqual(await calls('set'), ['set Vision-Lab']);
  });
});

/** The welcome text of somebody who is signed out. */
const signedOut = welcomed('You are signed out of Brev');
/** That of somebody whose token Brev refuses. */
const tokenStale = welcomed('The Brev token is stale');

function welcomed(words: string) {
  return ({ views }: Look) => {
    const welcome = views.find(({ id }) => id === 'brev-instances')?.welcome;
    return welcome?.text.includes(words) && welcome;
  };
}
