import { glob } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { findSshd } from './support/openssh-server.ts';
import { repositoryRoot } from './support/paths.ts';
import { pythonOf } from './support/pythonEnvironment.ts';
import { findShellcheck } from './support/shellcheck.ts';

/** A part of the whole test run: one command, run by this Node. */
export interface Stage {
  readonly name: string;
  /** What Node gets as arguments; nothing when there is nothing to run. */
  readonly argv: readonly string[];
  /** Whether it prints a line of totals; a stage that doesn't is one test, passed when it exits with 0. */
  readonly counts: boolean;
  /** Installed before it starts: the time limits of tests are not for downloads. */
  readonly prepare?: (say: (line: string) => void) => Promise<unknown>;
}

const reporter = path.join(repositoryRoot, 'test/support/failures-reporter.ts');
const shLoader = path.join(repositoryRoot, 'test/support/sh-loader.ts');

/** The stages, the longest first; `extra` goes to the one stage that was asked for: its files, or flags of its runner. */
export async function stages(extra: readonly string[]): Promise<Stage[]> {
  return [
    { name: 'host', argv: ['test/host/run.ts', ...extra], counts: true, prepare: pythons },
    { ...(await nodeTests('unit', extra)), prepare: programs },
    await nodeTests('contract', extra),
    { name: 'types', argv: ['node_modules/typescript/bin/tsc', '-p', '.'], counts: false },
    { name: 'page types', argv: ['node_modules/typescript/bin/tsc', '-p', 'media/jobPanel'], counts: false },
    {
      name: 'plan page types',
      argv: ['node_modules/typescript/bin/tsc', '-p', 'media/planPanel'],
      counts: false,
    },
    {
      name: 'lint',
      argv: [
        'node_modules/@biomejs/biome/bin/biome',
        'check',
        '--error-on-warnings',
        '--max-diagnostics=none',
        '.',
      ],
      counts: false,
    },
  ];
}

const pythons = () => Promise.all([pythonOf('moto'), pythonOf('tao-sdk'), pythonOf('lep')]);

const programs = (say: (line: string) => void) =>
  Promise.all([pythons(), findSshd(say), findShellcheck(say)]);

async function nodeTests(name: string, extra: readonly string[]): Promise<Stage> {
  const flags = extra.filter((word) => word.startsWith('-'));
  const named = extra.filter((word) => !word.startsWith('-'));
  const files = named.length > 0 ? named : await testFiles(name);
  const argv = [
    '--test',
    `--import=${shLoader}`,
    // they wait more than they work, also on two cores
    `--test-concurrency=${Math.max(3, availableParallelism())}`,
    '--test-timeout=120000',
    `--test-reporter=${reporter}`,
    '--test-reporter-destination=stdout',
    ...flags,
    ...files,
  ];
  // Without a file named, Node would go and look for tests everywhere.
  return { name, argv: files.length === 0 ? [] : argv, counts: true };
}

async function testFiles(name: string): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(`test/${name}/**/*.test.ts`, { cwd: repositoryRoot })) files.push(file);
  return files.sort((a, b) => a.localeCompare(b));
}
