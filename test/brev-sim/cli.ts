import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { dispatch, findCommand, type Target } from './cli/dispatch.ts';
import { CliError, TransportError } from './cli/errors.ts';
import { Run } from './cli/run.ts';
import { loadFaults, playFaults } from './cli/spoil.ts';
import { type CallEnvironment, LOGGED_VARIABLES, logEnd, logStart } from './cloud/calls.ts';

const root = process.env.BREV_SIM_ROOT ?? '';
const begun = performance.now();

void main().then((code) => {
  process.exitCode = code;
});

/** One call of the simulated brev, from the log's first line to its last. */
async function main(): Promise<number> {
  const home = process.env.HOME ?? '';
  const run = new Run(root, process.argv.slice(2), home);
  const id = `${process.pid}-${Math.round(performance.timeOrigin)}`;
  logStart(root, {
    id,
    at: Date.now(),
    pid: process.pid,
    args: run.args,
    env: environment(),
    cwd: process.cwd(),
    stdin: run.stdin,
    exitCode: null,
    durationMs: null,
  });
  const exitCode = await guarded(run);
  logEnd(root, { id, exitCode, durationMs: Math.round(performance.now() - begun) });
  return exitCode;
}

async function guarded(run: Run): Promise<number> {
  try {
    if (run.home === '') {
      run.out('Warning: $HOME is not defined\n');
      return 1;
    }
    const target = findCommand(run, run.args);
    run.command = target?.spec.name ?? '';
    await loadFaults(run, target?.path.split(' ')[1] ?? 'version');
    return await playFaults(run, () => execute(run, target));
  } catch (error) {
    return report(run, error);
  }
}

async function execute(run: Run, target: Target | undefined): Promise<number> {
  let exitCode = 0;
  try {
    if (target !== undefined) await warnOfStrangeToken(run);
    await dispatch(run, target);
  } catch (error) {
    exitCode = report(run, error);
  }
  await tellAnalytics(run);
  return exitCode;
}

function report(run: Run, error: unknown): number {
  if (!(error instanceof CliError)) throw error;
  if (error instanceof TransportError) run.err(error.logs);
  if (error.message !== '') run.err(`${error.message}\n`);
  return error.exitCode;
}

/** Whatever the command, a token of an unknown issuer is announced on stdout first (contract 2). */
async function warnOfStrangeToken(run: Run): Promise<void> {
  const { hasStrangeIssuer } = await import('./cli/session.ts');
  if (hasStrangeIssuer(run)) run.out('no oauth found for token\n');
}

/** With analytics on, the whole command line leaves the machine, secrets included (contract 12). */
async function tellAnalytics(run: Run): Promise<void> {
  const { hasAnalytics } = await import('./cli/misc.ts');
  if (!hasAnalytics(run)) return;
  appendFileSync(join(root, 'analytics.log'), `${JSON.stringify({ args: run.args, cwd: process.cwd() })}\n`);
  const outage = run.fault('analytics-outage');
  if (outage !== undefined) await run.sleep(outage.ms ?? 13_000);
}

function environment(): CallEnvironment {
  const env: CallEnvironment = { SSH_AUTH_SOCK: (process.env.SSH_AUTH_SOCK ?? '') !== '' };
  for (const name of LOGGED_VARIABLES) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}
