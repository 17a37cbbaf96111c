import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { Brev } from '../../../../src/brev/brev.ts';
import { DialectProbe } from '../../../../src/brev/dialect.ts';
import { cliEnvironment } from '../../../../src/brev/environment.ts';
import { locateCli } from '../../../../src/brev/locate.ts';
import { createRun, type Run } from '../../../../src/process/run.ts';
import { createSim, type Sim, type SimOptions } from '../../../brev-sim/sim.ts';

export interface SimulatedCli {
  readonly sim: Sim;
  readonly brev: Brev;
  readonly run: Run;
  readonly locate: () => ReturnType<typeof locateCli>;
  /** The command lines of the calls so far, without those that only ask for help or the version. */
  readonly calls: () => Promise<readonly string[]>;
}

/** A simulated cloud and our client of its CLI, without a session; gone after the test. */
export async function simulatedCli(test: TestContext, options: SimOptions = {}): Promise<SimulatedCli> {
  const sim = await createSim({ speed: 1_000, ...options });
  const empty = await mkdtemp(path.join(tmpdir(), 'preflight-empty-'));
  test.after(async () => {
    await sim.dispose();
    await rm(empty, { recursive: true, force: true });
  });
  const run = createRun();
  const locate = () => locateCli({ configured: '', environment: sim.env });
  const environment = () => cliEnvironment(sim.env);
  const brev = new Brev({
    run,
    locate,
    environment,
    workingDirectory: async () => empty,
    log: () => undefined,
    dialects: new DialectProbe(run, environment),
    session: () => undefined,
  });
  const calls = async () =>
    (await sim.calls())
      .map((call) => call.args.join(' '))
      .filter((line) => !line.includes('--help') && !line.startsWith('--version'));
  return { sim, brev, run, locate, calls };
}
