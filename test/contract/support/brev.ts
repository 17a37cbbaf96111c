import { after, test } from 'node:test';
import { createSim, type Sim, type SimOptions } from '../../brev-sim/sim.ts';
import { eventually } from './eventually.ts';
import { type Ended, type Running, type StartOptions, start } from './process.ts';
import { parseRows } from './rows.ts';

/** The CLI under test. */
export interface Brev {
  start(args: string[], options?: StartOptions): Running;
  run(args: string[], options?: StartOptions): Promise<Ended>;
  /** Runs it with a terminal for stdin, stdout and stderr; what the terminal shows is in `stdout`, lines ending in \r\n. */
  inTerminal(args: string[]): Promise<Ended>;
}

/** The CLI with the instances that the tests of any binary may use. */
export interface AnyBrev extends Brev {
  running: string;
  stopped: string;
}

export interface SimBrev extends Brev {
  sim: Sim;
}

const foreign = process.env.BREV_BIN;
const mayPay = process.env.BREV_CONTRACT_ALLOW_PAID === '1';
/** Opted out of analytics and with an agent, unless a test says otherwise. */
const QUIET = { DO_NOT_TRACK: '1', SSH_AUTH_SOCK: '/nonexistent/agent' };
const SPEED = 200;
/** A real machine takes its time. */
const STOP_MS = 600_000;

/** A test for whatever binary there is. It costs nothing: it changes nothing and wakes nothing. */
export function anyBrev(
  name: string,
  body: (brev: AnyBrev) => Promise<void>,
  needs?: 'running' | 'stopped',
): void {
  if (foreign === undefined) test(name, async () => body(await usualSim()));
  else defineForeign(name, body, needs, undefined);
}

/** As `anyBrev`, for what starts machines or makes them: with a foreign binary only on request. */
export function paidBrev(
  name: string,
  body: (brev: AnyBrev) => Promise<void>,
  needs?: 'running' | 'stopped',
): void {
  if (foreign === undefined) {
    test(name, () => inSim({}, async (brev) => body(await withUsualInstances(brev))));
    return;
  }
  const why = mayPay ? undefined : 'would cost money: set BREV_CONTRACT_ALLOW_PAID=1';
  defineForeign(name, (brev) => stoppedAgain(brev, body), needs, why);
}

/** A test that needs a cloud of its own (known contents, faults, another version): the simulator only. */
export function simOnly(name: string, options: SimOptions, body: (brev: SimBrev) => Promise<void>): void {
  const skip = foreign === undefined ? false : 'simulator only: needs a cloud of its own';
  test(`${name} [simulator]`, { skip }, () => inSim(options, body));
}

async function inSim(options: SimOptions, body: (brev: SimBrev) => Promise<void>): Promise<void> {
  const sim = await createSim({ speed: SPEED, ...options });
  try {
    await body({ sim, ...cli(sim.brevPath, sim.env) });
  } finally {
    await sim.dispose();
  }
}

/** Finds the instance stopped and leaves it stopped, whatever the test does to it. */
async function stoppedAgain(brev: AnyBrev, body: (brev: AnyBrev) => Promise<void>): Promise<void> {
  const settle = async () => {
    await brev.run(['stop', brev.stopped]);
    await eventually(async () => {
      const row = parseRows((await brev.run(['ls', '--json'])).stdout).find(
        ({ name }) => name === brev.stopped,
      );
      return row?.status === 'STOPPED';
    }, STOP_MS);
  };
  await settle();
  try {
    await body(brev);
  } finally {
    await settle();
  }
}

let usual: Promise<AnyBrev> | undefined;
let usualCloud: Sim | undefined;
after(() => usualCloud?.dispose());

/** One cloud for all tests of a file that change nothing. */
function usualSim(): Promise<AnyBrev> {
  usual ??= (async () => {
    const sim = await createSim({ speed: SPEED });
    usualCloud = sim;
    return await withUsualInstances({ sim, ...cli(sim.brevPath, sim.env) });
  })();
  return usual;
}

function defineForeign(
  name: string,
  body: (brev: AnyBrev) => Promise<void>,
  needs: 'running' | 'stopped' | undefined,
  why: string | undefined,
): void {
  const running = process.env.BREV_CONTRACT_RUNNING;
  const stopped = process.env.BREV_CONTRACT_STOPPED;
  const lacks =
    (needs === 'running' &&
      running === undefined &&
      'set BREV_CONTRACT_RUNNING to the name of an instance') ||
    (needs === 'stopped' && stopped === undefined && 'set BREV_CONTRACT_STOPPED to the name of an instance');
  const brev: AnyBrev = {
    running: running ?? '',
    stopped: stopped ?? '',
    ...cli(foreign ?? '', process.env),
  };
  test(name, { skip: why ?? lacks }, () => body(brev));
}

async function withUsualInstances(brev: SimBrev): Promise<AnyBrev> {
  await brev.sim.addInstance({ name: 'contract-running' });
  await brev.sim.addInstance({ name: 'contract-stopped', status: 'STOPPED' });
  await brev.run(['refresh']);
  return { ...brev, running: 'contract-running', stopped: 'contract-stopped' };
}

function cli(file: string, base: NodeJS.ProcessEnv): Brev {
  const launch = (args: string[], options: StartOptions = {}) =>
    start(file, args, { ...options, env: { ...base, ...QUIET, ...options.env } });
  const inTerminal = (args: string[]) => {
    const line = [file, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    return start('script', ['-qec', line, '/dev/null'], { env: { ...base, ...QUIET } }).ended;
  };
  return { start: launch, run: (args, options) => launch(args, options).ended, inTerminal };
}
