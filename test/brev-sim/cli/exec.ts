import { readFileSync } from 'node:fs';
import { codeOf } from '../cloud/lock.ts';
import { CliError, GoPanic, multiError } from './errors.ts';
import { findOwn, type Seen } from './instances.ts';
import { hasAnalytics } from './misc.ts';
import { requireNames } from './names.ts';
import { activeOrg } from './orgs.ts';
import { reachInstance } from './reach-instance.ts';
import { writeSshConfig } from './refresh.ts';
import { localBash, sshLine } from './remote.ts';
import type { Invocation, Run } from './run.ts';
import { LOGIN_PROMPT, readCredentials, type Session, signIn } from './session.ts';
import { startAndWait } from './start.ts';
import { waitForSsh } from './wait-for-ssh.ts';

/** `brev exec [NAME…] COMMAND`: at-least-once, and the exit code of the command is lost. */
export async function execCommand(call: Invocation): Promise<void> {
  const { run } = call;
  const { names: given, command: word } = splitWords(call);
  const names = await requireNames(run, given);
  const command = readCommand(word);
  if (command === '') throw new CliError('command is required');
  const failures: string[] = [];
  for (const name of names) {
    if (names.length > 1) run.err(`\n=== ${name} ===\n`);
    try {
      await execOn(run, name, command, call.flags.on('host'));
      if (run.piped) run.out(`${name}\n`);
    } catch (error) {
      if (!(error instanceof CliError) || names.length === 1 || error.exitCode === 2) throw error;
      run.err(`Error on ${name}: ${error.message}\n`);
      failures.push(error.message);
    }
  }
  if (failures.length > 0) throw multiError(failures);
  // ssh needs no login, the report about it afterwards does (contract 2).
  if (hasAnalytics(run) && readCredentials(run) === undefined) run.out(LOGIN_PROMPT);
}

/** The last word is the command, all before it are instances; the TAO dialect takes all words after `--`. */
function splitWords({ run, args, dashAt }: Invocation): { names: string[]; command: string } {
  if (run.dialect === 'tao' && dashAt !== undefined && args.length - dashAt > 1) {
    const words = args.slice(dashAt).map((word) => `'${word.replaceAll("'", "'\\''")}'`);
    return { names: args.slice(0, dashAt), command: words.join(' ') };
  }
  return { names: args.slice(0, -1), command: args.at(-1) ?? '' };
}

function readCommand(word: string): string {
  if (!word.startsWith('@')) return word;
  const path = word.slice(1);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new CliError(`open ${path}: no such file or directory`);
    throw error;
  }
}

async function execOn(run: Run, name: string, command: string, host: boolean): Promise<void> {
  if (!run.since('0.6.320')) {
    await execSlowly(run, name, command, host);
    return;
  }
  const alias = host ? `${name}-host` : name;
  const code = await attempt(run, sshLine(alias, command, 5), run.fault('drop')?.afterBytes);
  if (code === 0) return;
  run.err('Connection failed, checking instance status...\n');
  const { seen, session } = lookUp(run, name, code);
  const second = host ? `${seen.instance.name}-host` : seen.instance.name;
  if (seen.sight.status === 'STOPPED') {
    await startAndWait(run, seen.instance);
    await run.spin('waiting for instance to be ready...', 5_000);
    writeSshConfig(run, session);
    await waitForSsh(run, seen.instance.id);
  } else if (seen.sight.status === 'RUNNING') {
    writeSshConfig(run, session);
    try {
      await waitForSsh(run, seen.instance.id);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      throw new CliError(
        `could not connect to instance "${name}": ${error.message}\nPlease check with: brev ls`,
      );
    }
  } else {
    throw new CliError(`instance "${name}" is in state "${seen.sight.status}" — please check with: brev ls`);
  }
  // Whatever made the first run fail, its command runs again here (contract 6).
  const again = await attempt(run, sshLine(second, command, 10));
  if (again === 'too long') throw new CliError('fork/exec /usr/bin/bash: argument list too long');
  if (again !== 0) throw new CliError(`exit status ${again}`);
}

/** 0.6.317-319: everything is looked up first, the agent greets on stdout, and a failure isn't repeated. */
async function execSlowly(run: Run, name: string, command: string, host: boolean): Promise<void> {
  const instance = await reachInstance(run, name);
  const alias = host ? `${instance.name}-host` : instance.name;
  const quoted = command.replaceAll("'", "'\\''");
  const code = await attempt(
    run,
    `eval $(ssh-agent -s) && ssh ${alias} '${quoted}'`,
    run.fault('drop')?.afterBytes,
  );
  if (code !== 0) throw new CliError(`exit status ${code}`);
}

async function attempt(run: Run, line: string, drop?: number): Promise<number | 'too long'> {
  try {
    return await localBash(run, line, { drop });
  } catch (error) {
    if (codeOf(error) === 'E2BIG') return 'too long';
    throw error;
  }
}

function lookUp(run: Run, name: string, code: number | 'too long'): { seen: Seen; session: Session } {
  let session: Session;
  let seen: Seen | undefined;
  try {
    session = signIn(run);
    const org = activeOrg(run, session);
    if (org === undefined) throw new GoPanic('runtime error: index out of range [0] with length 0');
    seen = findOwn(run, session, org, name);
    if (seen === undefined) throw new CliError('not found');
  } catch (error) {
    if (!(error instanceof CliError) || error.exitCode === 2) throw error;
    throw new CliError(
      `ssh connection failed and could not look up instance "${name}": exit status ${code}\nPlease check your instances with: brev ls`,
    );
  }
  return { seen, session };
}
