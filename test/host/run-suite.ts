import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { extensionErrors } from '../support/host-log.ts';
import { HostRun } from '../support/host-run.ts';
import { repositoryRoot } from '../support/paths.ts';
import { killMarked } from '../support/processes.ts';
import { bundleForHost } from '../support/test-bundle.ts';
import type { Totals } from '../support/totals.ts';
import type { VSCodeHost } from '../support/vscode-host.ts';
import { settingsFile, writeSettings } from '../support/workbench-settings.ts';
import { prepare } from './environment.ts';
import { launch } from './launch.ts';
import type { HostSuite } from './suites.ts';
import { testOutput } from './test-output.ts';

/** Runs one suite in a VS Code with folders and a HOME of its own, prints its tests' output, and cleans up behind it. */
export async function runSuite(
  suite: HostSuite,
  host: VSCodeHost,
  options: {
    readonly grep: string | null;
    readonly verbose: boolean;
    readonly print: (line: string) => void;
  },
): Promise<Totals> {
  const { print } = options;
  print(`\nSuite ${suite.name}`);
  const mark = randomUUID();
  const run = new HostRun(await realpath(await mkdtemp(path.join(tmpdir(), `brev-host-${suite.name}-`))));
  const bundles = path.join(repositoryRoot, 'out/test', mark);
  const environment = await prepare(suite.name);
  let totals: Totals | undefined;
  try {
    const [index, ...files] = await bundleForHost(
      [path.join(repositoryRoot, 'test/host/index.ts'), ...suite.phases.flat()],
      bundles,
    );
    if (!index) throw new Error('The entry of the host tests was not bundled');
    const bundleOf = new Map(suite.phases.flat().map((file, at) => [file, files[at] ?? file]));
    await run.writePlan({
      phases: suite.phases.map((phase) => phase.map((file) => bundleOf.get(file) ?? file)),
      grep: options.grep,
      restricted: suite.restricted,
    });
    const whose = host.kind === 'served' ? 'machine' : 'user';
    await writeSettings(settingsFile(run.file('user-data'), whose), environment.settings);
    await mkdir(run.file('home'));
    const output = testOutput(run.file('output.log'), options.verbose, print);
    const trouble = await launch({ suite, host, run, index, environment, mark, output });
    output.end();
    await finished(output);
    totals = await totalsOf(suite, run, trouble, print);
    return totals;
  } finally {
    await environment.dispose();
    for (const left of await killMarked(mark)) print(`Outlived its window and was killed: ${left}`);
    await rm(bundles, { recursive: true, force: true });
    if (totals?.failed === 0) await rm(run.folder, { recursive: true, force: true, maxRetries: 3 });
    else print(`Logs and screenshots: ${run.folder}`);
  }
}

async function totalsOf(
  suite: HostSuite,
  run: HostRun,
  trouble: string | undefined,
  print: (line: string) => void,
): Promise<Totals> {
  let [passed, failed, skipped] = [0, 0, 0];
  for (const phase of suite.phases.keys()) {
    // Phases build on each other: what follows a failed one is not to be judged.
    if (failed > 0) break;
    const result = await run.result(phase);
    if (result) {
      passed += result.passed;
      failed += result.failed + result.uncaught.length;
      skipped += result.skipped;
    } else {
      print(`Phase ${phase + 1} of ${suite.name} ended without a result`);
      failed += 1;
    }
    const started = await run.started(phase);
    if (started) print(`Ran in VS Code ${started.version} (${started.host})`);
  }
  const logged = await extensionErrors(run.file('user-data'), 'brev-instances.brev-instances');
  for (const error of logged) print(`Logged by the extension host:\n${error}`);
  failed += logged.length;
  if (trouble && failed === 0) failed = 1;
  if (trouble) print(trouble);
  return { passed, failed, skipped };
}
