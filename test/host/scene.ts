import assert from 'node:assert/strict';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, beforeEach } from 'mocha';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/extension.ts';
import type { Call, Cloud, Fault, Instance, Sim } from '../brev-sim/sim.ts';
import { mintToken } from '../brev-sim/sim.ts';
import { eventually } from '../support/eventually.ts';
import { LINE_MARK } from '../support/host-run.ts';
import { addBasicInstances } from './basicInstances.ts';
import { cloud, extension } from './extension.ts';
import { Screen } from './screen.ts';

const KNOWN_COMMANDS = new Set([
  'copy',
  'create',
  'delete',
  'exec',
  'login',
  'logout',
  'ls',
  'orgs',
  'refresh',
  'reset',
  'search',
  'set',
  'shell',
  'start',
  'stop',
]);
const VERSION = '0.6.327';
const FILTER = 'createInstance.filter';

/** One person at one account: window, extension and simulated cloud, in the same state before each test. */
export interface Scene {
  readonly screen: Screen;
  readonly access: TestAccess;
  readonly sim: Sim;
  /** Puts an instance into the cloud. */
  add(name: string, spec?: Partial<Instance>): Promise<void>;
  /** Replaces the faults of the CLI. */
  faults(...faults: Fault[]): Promise<void>;
  /** Shows the view with what the cloud has now. */
  list(): Promise<void>;
  /** The command lines of the CLI calls in this test, without those that ask for help or the version. */
  calls(...subcommands: string[]): Promise<readonly string[]>;
  /** The same calls in full. */
  fullCalls(...subcommands: string[]): Promise<readonly Call[]>;
  /** Makes another CLI of the installed one. */
  installCli(change: Pick<Partial<Cloud>, 'dialect' | 'version' | 'placement'>): Promise<void>;
  /** Lets the extension's clock jump, as after a sleep of the computer. */
  jump(ms: number): void;
  /** Removes the CLI's own sign-in. */
  signOutCli(): void;
  /** Signs the CLI in as in a terminal beside VS Code. */
  signInCli(): void;
  /** Writes the env file that the TAO tools share. */
  writeEnvFile(text: string): void;
  readonly envFile: string;
}

/** Makes a scene for the tests of the surrounding `describe`; call the result to get at it. */
export function scene(): () => Scene {
  let current: Scene | undefined;
  before(async () => {
    current ??= await setUp();
    await current.screen.showAll(true);
    globalThis.setTimeout = hurried;
  });
  beforeEach(async () => {
    if (current !== undefined) await reset(current);
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'passed' && current !== undefined) {
      for (const call of await current.fullCalls()) assertHarmless(call);
    }
    if (this.currentTest?.state === 'failed')
      console.log(`${LINE_MARK}Picture: ${await current?.screen.picture(this.currentTest.title)}`);
  });
  after(async () => {
    if (current === undefined) return;
    await reset(current);
    await current.screen.showAll(false);
    globalThis.setTimeout = unhurried;
    await addBasicInstances(current.sim);
    await current.access.parts.store.refresh();
  });
  return () => {
    if (current === undefined) throw new Error('The scene is there once the tests run');
    return current;
  };
}

const realNow = Date.now;
const unhurried = globalThis.setTimeout;
/** The extension's pauses of seconds, between two probes or lists, are a tenth as long. Nothing is measured by them. */
const hurried = new Proxy(unhurried, {
  apply: (target, self, [callback, ms, ...rest]: Parameters<typeof setTimeout>) =>
    Reflect.apply(target, self, [callback, isPause(ms) ? ms / 10 : ms, ...rest]),
});

function isPause(ms: number | undefined): ms is number {
  return ms !== undefined && ms >= 1_000 && ms <= 4_000;
}

interface Mark {
  calls: number;
}

const marks = new WeakMap<Scene, Mark>();

async function setUp(): Promise<Scene> {
  const screen = await Screen.open();
  const access = await extension();
  const sim = await cloud();
  const credentials = path.join(sim.home, '.brev/credentials.json');
  const envFile = path.join(sim.home, '.config/tao/.env');
  const mark = { calls: 0 };
  const fullCalls = async (...subcommands: string[]): Promise<readonly Call[]> =>
    (await sim.calls())
      .slice(mark.calls)
      .filter(({ args }) => !args.includes('--help') && !args.includes('--version'))
      .filter(({ args }) => subcommands.length === 0 || subcommands.includes(args[0] ?? ''));
  const made: Scene = {
    screen,
    access,
    sim,
    envFile,
    fullCalls,
    add: async (name, spec = {}) => {
      await sim.addInstance({ name, status: 'RUNNING', ...spec });
    },
    // `create --help` is asked for by itself, and isn't meant.
    faults: (...faults) =>
      sim.scenario(
        faults.map((fault) => (fault.command === 'create' ? { arg: '--detached', ...fault } : fault)),
      ),
    list: async () => {
      await vscode.commands.executeCommand('brev.instances.focus');
      const shown = vscode.commands.executeCommand('brev.refresh');
      // One that failed ends when its notification has been answered.
      if ((await access.parts.store.refresh()).kind === 'ok') await shown;
    },
    calls: async (...subcommands) => (await fullCalls(...subcommands)).map(({ args }) => args.join(' ')),
    installCli: async (change) => {
      await sim.cloud((it) => Object.assign(it, change));
      touch(sim.brevPath);
    },
    jump: (ms) => {
      const before = Date.now;
      Date.now = () => before() + ms;
    },
    signOutCli: () => rmSync(credentials, { force: true }),
    signInCli: () => {
      mkdirSync(path.dirname(credentials), { recursive: true });
      writeFileSync(
        credentials,
        JSON.stringify({ access_token: mintToken({ expiresInSeconds: 3_600 }), refresh_token: 'auto-login' }),
      );
    },
    writeEnvFile: (text) => {
      mkdirSync(path.dirname(envFile), { recursive: true });
      writeFileSync(envFile, text, { mode: 0o600 });
    },
  };
  marks.set(made, mark);
  return made;
}

async function reset(scene: Scene): Promise<void> {
  const { access, screen, sim } = scene;
  const { parts } = access;
  Date.now = realNow;
  await sim.scenario([]);
  await closeAll(scene);
  for (const { id } of [...(await sim.instances()), ...parts.store.instances]) parts.readiness.stop(id);
  for (const { id } of await sim.instances()) await sim.removeInstance(id);
  let changed = false;
  await sim.cloud((it) => {
    changed = it.dialect !== 'public' || it.version !== VERSION;
    restore(it);
  });
  if (changed) touch(sim.brevPath);
  rmSync(path.dirname(scene.envFile), { recursive: true, force: true });
  delete process.env.BREV_API_TOKEN;
  // Whatever the last test has chosen there, an organisation or a sign-in, is the CLI's own.
  rmSync(path.join(sim.home, '.brev/active_org.json'), { force: true });
  scene.signInCli();
  await parts.session.signedInByHand();
  await parts.credentials.forget('BREV_API_TOKEN');
  await parts.memory.update(FILTER, undefined);
  parts.store.forget();
  await parts.store.refresh();
  // What the readiness of the last test's instances had to say is said now.
  await screen.settled();
  await closeAll(scene);
  await screen.forgetToasts();
  const mark = marks.get(scene);
  if (mark !== undefined) mark.calls = (await sim.calls()).length;
}

/**
 * What holds for every call of every test: only commands that we know, no flag that the CLI doesn't have or that means
 * everybody's instances, nothing on stdin that it could take for names, no secret that analytics would send away.
 */
function assertHarmless({ args, env, stdin }: Call): void {
  const line = args.join(' ');
  assert.ok(KNOWN_COMMANDS.has(args[0] ?? ''), `${line} is called by nothing that a person sees`);
  assert.ok(!args.includes('--yes') && !args.includes('--all'), line);
  assert.ok(stdin === 'null' || stdin === 'tty', `${line} has ${stdin} on stdin`);
  assert.equal(env.DO_NOT_TRACK, '1', line);
  assert.equal(env.SSH_AUTH_SOCK, true, line);
  if (args[0] === 'exec') assert.equal(args.length, 3, line);
}

/** Closes what a test left open; each question gets its answer so, none. */
async function closeAll({ screen }: Scene): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  if ((await screen.settled()).dialog !== null) await screen.press('Cancel');
  await vscode.commands.executeCommand('notifications.clearAll');
  await vscode.commands.executeCommand('workbench.action.terminal.killAll');
  await eventually(() => vscode.window.terminals.length === 0);
}

function restore(cloud: Cloud): void {
  cloud.dialect = 'public';
  cloud.version = VERSION;
  cloud.speed = 200;
  // The set-up is done before sshd answers, so that an instance on which a command runs is ready in every respect.
  cloud.timings = { ...cloud.timings, buildMs: 0, sshMs: 20_000 };
  cloud.placement = { cloudCredentials: [], workspaceGroups: ['devplane-brev-1'] };
  cloud.orgs = [
    { id: 'org-research', name: 'research' },
    { id: 'org-vision', name: 'Vision-Lab' },
  ];
  cloud.soldOut = [];
  cloud.nodes = [];
  cloud.browserLogin = 'completes';
}

/** The extension asks a binary what it can once for each change of its file. */
function touch(file: string): void {
  const now = new Date(realNow());
  utimesSync(file, now, now);
}
