import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Stage } from './stages.ts';
import { deferred } from './support/deferred.ts';
import { repositoryRoot } from './support/paths.ts';
import { parseTotalsLine, type Totals } from './support/totals.ts';

const timeoutMs = 900_000;
const compileCache = path.join(repositoryRoot, '.cache/node');

/** How a stage ended. */
export interface StageResult {
  readonly totals: Totals;
  readonly output: string;
  readonly seconds: number;
}

/** Runs a stage, with each line of its output to `show` as it comes; ends it when `signal` says so. */
export async function runStage(
  stage: Stage,
  show: (line: string) => void,
  signal: AbortSignal,
): Promise<StageResult> {
  const begun = performance.now();
  const lines: string[] = [];
  let counted: Totals | undefined;
  const take = (line: string) => {
    const totals = parseTotalsLine(line);
    if (totals) {
      counted = totals;
      return;
    }
    lines.push(line);
    show(line);
  };
  const ended = await runPrepared(stage, take, signal);
  if (ended !== 'exit code 0') take(`${stage.name} ended: ${ended}`);
  return {
    totals: judge(stage, counted, ended === 'exit code 0', take),
    output: lines.join('\n'),
    seconds: (performance.now() - begun) / 1000,
  };
}

async function runPrepared(
  { argv, prepare }: Stage,
  take: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  if (argv.length === 0) return 'nothing to run';
  try {
    await prepare?.(take);
  } catch (error) {
    return String(error);
  }
  return runNode(argv, take, signal);
}

function judge(
  stage: Stage,
  counted: Totals | undefined,
  good: boolean,
  say: (line: string) => void,
): Totals {
  if (!stage.counts) return { passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: 0 };
  const totals = counted ?? { passed: 0, failed: 0, skipped: 0 };
  if (totals.passed + totals.failed === 0) say(`${stage.name} ran no tests`);
  // A stage that ended badly, or did nothing, never counts as passed.
  const failed = totals.failed === 0 && (!good || totals.passed === 0) ? 1 : totals.failed;
  return { ...totals, failed };
}

async function runNode(
  argv: readonly string[],
  take: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const child = spawn(process.execPath, argv, {
    cwd: repositoryRoot,
    // each test file is a process of its own, which would strip the types of the same sources again
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { promise, resolve, reject } = deferred<string>();
  const end = () => child.kill('SIGTERM');
  const timer = setTimeout(() => {
    take(`Ended after ${timeoutMs / 1000} s`);
    end();
  }, timeoutMs);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  for (const stream of [child.stdout, child.stderr]) eachLine(stream, take);
  child.once('error', reject);
  child.once('close', (code, name) => resolve(code === null ? `killed by ${name}` : `exit code ${code}`));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

function eachLine(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(take);
  });
  stream.on('end', () => {
    if (rest) take(rest);
  });
}
