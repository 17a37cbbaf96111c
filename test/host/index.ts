// What VS Code runs as extensionTestsPath, once for each phase (load of the window): Mocha over the phase's test files.
import { setTimeout as delay } from 'node:timers/promises';
import { format, inspect } from 'node:util';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { HostRun, LINE_MARK } from '../support/host-run.ts';
import { isAlive } from '../support/processes.ts';
import { toSourcePositions } from './source-positions.ts';
import { collectUncaught } from './uncaught.ts';

/** VS Code's entry: resolves when all of the phase's tests passed, rejects otherwise. */
export async function run(): Promise<void> {
  const failures = await runPhase().catch((error: unknown) => {
    // Where VS Code would log it nobody looks.
    print(inspect(error));
    throw error;
  });
  if (failures > 0) throw new Error(`${failures} failed`);
}

async function runPhase(): Promise<number> {
  // VS Code makes its own stack traces, without source maps; `print` looks the positions up.
  process.setSourceMapsEnabled(true);
  const hostRun = HostRun.current();
  const uncaught = collectUncaught();
  const { phases, grep } = await hostRun.plan();
  const phase = await hostRun.phase();
  await hostRun.writeStarted(phase, { pid: process.pid, version: vscode.version, host: vscode.env.appHost });
  if (phase > 0) await previousHostGone(hostRun, phase - 1);
  const mocha = new LoadedMocha({
    ui: 'bdd',
    timeout: 30_000,
    forbidOnly: true,
    reporter: 'spec',
    color: false,
  });
  if (grep) mocha.grep(new RegExp(grep));
  for (const file of phases[phase] ?? []) mocha.addFile(file);
  mocha.load();
  printMarked();
  const stats = await new Promise<Mocha.Stats | undefined>((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats));
  });
  if (!stats) throw new Error('Mocha kept no statistics');
  const left = await uncaught.settled();
  for (const text of left) print(`Uncaught in the extension host: ${text}`);
  await hostRun.writeResult(phase, {
    passed: stats.passes,
    failed: stats.failures,
    skipped: stats.pending,
    uncaught: left,
  });
  return stats.failures + left.length;
}

// Mocha's own way of loading with require, which is how modules get VS Code's API here.
class LoadedMocha extends Mocha {
  load(): void {
    this.loadFiles();
  }
}

// After a reload two extension hosts can be alive for a moment; the tests are about the time after that.
async function previousHostGone(hostRun: HostRun, phase: number): Promise<void> {
  const previous = await hostRun.started(phase);
  if (!previous || previous.pid === process.pid)
    throw new Error(`Phase ${phase} left no extension host to follow`);
  const deadline = AbortSignal.timeout(20_000);
  while (isAlive(previous.pid)) {
    if (deadline.aborted)
      throw new Error(`The extension host ${previous.pid} outlived the reload of its window`);
    await delay(25);
  }
}

function printMarked(): void {
  Mocha.reporters.Base.consoleLog = (...values: unknown[]) => print(format(...values));
}

function print(text: string): void {
  for (const line of toSourcePositions(text).split('\n')) console.log(LINE_MARK + line);
}
