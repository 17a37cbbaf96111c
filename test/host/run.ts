// Runs the tests of this folder inside a real VS Code: `node test/host/run.ts [--grep PATTERN] [--verbose] [FILE…]`.
import { glob } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildExtension } from '../../esbuild.ts';
import { findChromium } from '../support/chromium.ts';
import { repositoryRoot } from '../support/paths.ts';
import { add, noTests, type Totals, totalsLine } from '../support/totals.ts';
import { chooseHost, type VSCodeHost } from '../support/vscode-host.ts';
import { runSuite } from './run-suite.ts';
import { type HostSuite, suitesOf } from './suites.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string' }, verbose: { type: 'boolean', default: false } },
});

let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // runTests passes a SIGINT, and only that, on to the VS Code that it started; after that everything ends by itself.
    if (!interrupted && signal !== 'SIGINT') process.emit('SIGINT');
    interrupted = true;
  });
}
process.exitCode = await main();

async function main(): Promise<number> {
  const files = positionals.length > 0 ? positionals.map((file) => path.resolve(file)) : await allTests();
  const host = await chooseHost(console.log);
  // not in each window at once, and not in the time of the first test
  if (host.kind === 'served') await findChromium(console.log);
  await buildExtension();
  // The fullest first, some windows at a time: tests wait more than they work.
  const waiting = suitesOf(files).sort((a, b) => b.phases.flat().length - a.phases.flat().length);
  const live = waiting.length === 1;
  const windows = Array.from({ length: Math.max(2, availableParallelism() / 2) }, () =>
    work(waiting, host, live),
  );
  const totals = (await Promise.all(windows)).reduce(add);
  const ran = totals.passed + totals.failed > 0;
  if (!ran) console.log('No host test ran');
  console.log(totalsLine(ran ? totals : { ...totals, failed: 1 }));
  return ran && totals.failed === 0 && !interrupted ? 0 : 1;
}

/** Runs suites one after the other; what each prints comes at once at its end, unless it is the only one. */
async function work(waiting: HostSuite[], host: VSCodeHost, live: boolean): Promise<Totals> {
  let totals = noTests;
  for (let suite = waiting.shift(); suite && !interrupted; suite = waiting.shift()) {
    const lines: string[] = [];
    const print = live ? console.log : (line: string) => void lines.push(line);
    const options = { grep: values.grep ?? null, verbose: values.verbose, print };
    try {
      totals = add(totals, await runSuite(suite, host, options));
    } finally {
      if (!live) console.log(lines.join('\n'));
    }
  }
  return totals;
}

async function allTests(): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob('test/host/**/*.test.ts', { cwd: repositoryRoot })) {
    found.push(path.join(repositoryRoot, file));
  }
  return found;
}
