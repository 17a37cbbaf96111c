// Runs the tests of this folder inside a real VS Code: `node test/host/run.ts [--grep PATTERN] [--verbose] [FILE…]`.
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildExtension } from '../../esbuild.ts';
import { repositoryRoot } from '../support/paths.ts';
import { add, noTests, totalsLine } from '../support/totals.ts';
import { chooseHost } from '../support/vscode-host.ts';
import { runSuite } from './run-suite.ts';
import { suitesOf } from './suites.ts';

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
  await buildExtension();
  let totals = noTests;
  for (const suite of suitesOf(files)) {
    if (interrupted) break;
    totals = add(totals, await runSuite(suite, host, { grep: values.grep ?? null, verbose: values.verbose }));
  }
  if (totals.passed + totals.failed === 0) {
    console.log('No host test ran');
    totals = add(totals, { ...noTests, failed: 1 });
  }
  console.log(totalsLine(totals));
  return totals.failed === 0 && !interrupted ? 0 : 1;
}

async function allTests(): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob('test/host/**/*.test.ts', { cwd: repositoryRoot })) {
    found.push(path.join(repositoryRoot, file));
  }
  return found;
}
