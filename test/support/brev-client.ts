import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Brev } from '../../src/brev/brev.ts';
import { DialectProbe } from '../../src/brev/dialect.ts';
import { cliEnvironment } from '../../src/brev/environment.ts';
import { createRun, type Run } from '../../src/process/run.ts';
import { ok } from '../../src/values/outcome.ts';
import type { Sim } from '../brev-sim/sim.ts';

/** Our client on a simulated CLI, as the extension builds it; `run` may be one that takes notes. */
export function brevOn(
  sim: Pick<Sim, 'root' | 'brevPath' | 'env'>,
  run: Run = createRun(),
  log: (line: string) => void = () => undefined,
): Brev {
  const environment = (): Record<string, string> => cliEnvironment(sim.env);
  const folder = path.join(sim.root, 'empty');
  mkdirSync(folder, { recursive: true });
  return new Brev({
    run,
    environment,
    log,
    locate: async () => ok(sim.brevPath),
    workingDirectory: async () => folder,
    dialects: new DialectProbe(run, environment),
    session: () => undefined,
  });
}
