import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { GoPanic } from './errors.ts';
import type { Run } from './run.ts';

/** Picks the faults of the scenario file and of BREV_SIM_FAULTS that hit this call. */
export async function loadFaults(run: Run, command: string): Promise<void> {
  const path = join(run.root, 'scenario.json');
  const texts = existsSync(path) ? [readFileSync(path, 'utf8')] : [];
  if (process.env.BREV_SIM_FAULTS !== undefined) texts.push(process.env.BREV_SIM_FAULTS);
  if (texts.every((text) => text === '[]')) return;
  // The schema costs a few milliseconds, so only scenarios pay for it.
  const { takeFaults } = await import('../cloud/faults.ts');
  run.faults = texts.flatMap((text) => takeFaults(run.root, text, command, run.args));
}

/** Runs the command with the faults that concern its process and its output as a whole. */
export async function playFaults(run: Run, execute: () => Promise<number>): Promise<number> {
  const delay = run.fault('delay');
  if (delay !== undefined) await wait(delay.ms);
  const hang = run.fault('hang');
  if (hang !== undefined) {
    run.out(hang.stdout ?? '');
    run.err(hang.stderr ?? '');
    return await hangForEver(run, hang.spinner);
  }
  const panic = run.fault('panic');
  if (panic !== undefined) throw new GoPanic(panic.message);
  const error = run.fault('error');
  if (error !== undefined) {
    run.out(error.stdout ?? '');
    run.err(error.stderr ?? '');
    return error.exitCode ?? 1;
  }
  const blank = run.fault('blank');
  if (blank !== undefined) return blank.exitCode ?? 0;
  return await spoilOutput(run, execute);
}

async function spoilOutput(run: Run, execute: () => Promise<number>): Promise<number> {
  const truncate = run.fault('truncate');
  const surround = run.fault('surround');
  if (truncate === undefined && surround === undefined) return await execute();
  run.holdOutput();
  const exitCode = await execute();
  run.releaseOutput((text) => {
    const kept = truncate === undefined ? text : text.slice(0, truncate.bytes ?? Math.floor(text.length / 2));
    return `${surround?.before ?? ''}${kept}${surround?.after ?? ''}`;
  });
  return exitCode;
}

/** Until it is killed; the spinner draws ten frames a second, whatever the simulated speed. */
async function hangForEver(run: Run, spinner: string | undefined): Promise<never> {
  for (;;) {
    if (spinner !== undefined) run.err(`\u001b[K\r⣷ ${spinner} `);
    await wait(spinner === undefined ? 3_600_000 : 100);
  }
}
