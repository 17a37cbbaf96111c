import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';

/** Variables that sudo keeps without being asked: everything else of the caller's is gone, secrets too. */
const KEPT = /^(BREV_SIM_.*|PATH|TERM|LANG|LC_.*|DISPLAY|HOSTNAME)$/;

interface Asked {
  command: string[];
  env: Record<string, string>;
  keep: Set<string> | 'all';
  /** `-H` and the default: root's own home. */
  home: string;
}

function readWords(words: string[]): Asked {
  const asked: Asked = { command: [], env: {}, keep: new Set(), home: rootHome() };
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      asked.command = rest;
      return asked;
    }
    const preserve = /^--preserve-env=(.*)$/.exec(word);
    const assignment = /^(\w+)=(.*)$/s.exec(word);
    if (preserve !== null && asked.keep !== 'all')
      for (const name of (preserve[1] ?? '').split(',')) asked.keep.add(name);
    else if (word === '-E' || word === '--preserve-env') asked.keep = 'all';
    else if (word === '-u' || word === '-g') rest.shift();
    else if (assignment !== null) asked.env[assignment[1] ?? ''] = assignment[2] ?? '';
    else if (!word.startsWith('-')) {
      asked.command = [word, ...rest];
      return asked;
    }
  }
  return asked;
}

/** Root's home on this machine: its docker logins are not the user's. */
function rootHome(): string {
  const folder = join(process.env.BREV_SIM_MACHINE ?? '/', 'root-home');
  mkdirSync(folder, { recursive: true });
  return folder;
}

function environment({ env, keep, home }: Asked): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => keep === 'all' || keep.has(name) || KEPT.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    USER: 'root',
    LOGNAME: 'root',
    ...env,
    SUDO_USER: process.env.USER ?? 'ubuntu',
    BREV_SIM_SUDO: '1',
  };
}

const asked = readWords(process.argv.slice(2));
const [file, ...args] = asked.command;
if (existsSync(join(process.env.BREV_SIM_MACHINE ?? '/', 'sudo-password'))) {
  // Without a terminal there is nobody to ask, with or without -n.
  process.stderr.write('sudo: a password is required\n');
  process.exitCode = 1;
} else if (file === undefined) {
  // `sudo -n -v` and `sudo -n true` are how scripts ask whether they may.
  process.exitCode = process.argv.includes('-v') || process.argv.includes('--validate') ? 0 : 1;
  if (process.exitCode === 1) process.stderr.write('usage: sudo -h | -K | -k | -V\n');
} else {
  const child = spawn(file, args, { env: environment(asked), stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  let found = true;
  child.once('error', () => {
    found = false;
    process.stderr.write(`sudo: ${file}: command not found\n`);
  });
  child.once('close', (code, signal) => {
    const ended = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
    process.exitCode = found ? ended : 1;
  });
}
