// VS Code's executable for @vscode/test-electron where there is no desktop VS Code: serves VS Code to a headless Chromium.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { findChromium, launchChromium } from './chromium.ts';
import { codeServer } from './code-server.ts';
import { deferred } from './deferred.ts';
import { HostRun } from './host-run.ts';
import { parseLaunchArguments } from './launch-arguments.ts';
import { reloadWindow } from './reload-window.ts';
import { SCREEN_SOCKET } from './screen-request.ts';
import { makeReadable, serveScreen } from './screen-server.ts';
import { type ServedVSCode, startServer } from './served-server.ts';

const startTimeoutMs = 90_000;
const phaseTimeoutMs = 800_000;

const run = HostRun.current();
const launch = parseLaunchArguments(process.argv.slice(2));
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stop.abort(new Error(`Stopped by ${signal}`)));
}
// Our parent holds the other end: this is how its death by SIGKILL is noticed.
process.stdin.on('end', () => stop.abort(new Error('The test runner is gone')));
process.stdin.resume();

process.exitCode = await main().catch((error: unknown) => {
  console.error(error);
  return 1;
});
process.stdin.destroy();

async function main(): Promise<number> {
  const plan = await run.plan();
  const folder = await codeServer(console.error);
  const chromium = await findChromium(console.error);
  const trust = launch.workspaceTrust || plan.restricted;
  await mkdir(launch.userDataDir, { recursive: true });
  const server = await startServer({
    script: path.join(folder, 'lib/vscode/out/server-main.js'),
    args: [
      '--host=127.0.0.1',
      '--port=0',
      '--without-connection-token',
      '--accept-server-license-terms',
      '--enable-smoke-test-driver',
      '--disable-telemetry',
      // Else the person's login shell decides on the PATH, not the run.
      '--force-disable-user-env',
      `--server-data-dir=${launch.userDataDir}`,
      `--extensions-dir=${launch.extensionsDir}`,
      ...(trust ? [] : ['--disable-workspace-trust']),
    ],
    env: process.env,
    logFile: run.file('server.log'),
    ready: /Extension host agent listening on (\d+)/,
  });
  try {
    const browser = await launchChromium(chromium, process.env);
    try {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      const page = await context.newPage();
      await makeReadable(page);
      const socket = run.file(SCREEN_SOCKET);
      const screen = await serveScreen({
        page,
        socket,
        further: (folder) => address(server.port, false, folder),
      });
      try {
        return await runPhases(page, server, plan.phases.length);
      } finally {
        screen.dispose();
      }
    } finally {
      await browser.close();
    }
  } finally {
    await server.dispose();
  }
}

async function runPhases(page: Page, server: ServedVSCode, phases: number): Promise<number> {
  let exit = deferred<number>();
  await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
    for (const line of args) console.log(String(line));
  });
  await page.exposeFunction('codeAutomationExit', (code: number) => exit.resolve(code));
  page.on('crash', () => stop.abort(new Error('The page crashed')));
  for (let phase = 0; phase < phases; phase++) {
    exit = deferred<number>();
    await run.setPhase(phase);
    try {
      // The new extension host waits itself until the old one is gone.
      if (phase === 0) await page.goto(address(server.port, true), { timeout: startTimeoutMs });
      else await reloadWindow(page, startTimeoutMs);
      const code = await ended(exit.promise, server, phase);
      if (code === 0) continue;
      await page.screenshot({ path: run.file(`failure-${phase}.png`) });
      return code;
    } catch (error) {
      await page.screenshot({ path: run.file(`failure-${phase}.png`), timeout: 10_000 }).catch(console.error);
      throw error;
    }
  }
  return 0;
}

/** The tests' exit code; rejects when they can't end by themselves any more. */
async function ended(exit: Promise<number>, server: ServedVSCode, phase: number): Promise<number> {
  const { promise: trouble, reject } = deferred<never>();
  const fail = (text: string) => reject(new Error(text));
  const onStop = () => reject(stop.signal.reason);
  stop.signal.addEventListener('abort', onStop);
  if (stop.signal.aborted) onStop();
  const start = setTimeout(() => {
    run.started(phase).then((it) => it ?? fail(`No test began within ${startTimeoutMs / 1000} s`), reject);
  }, startTimeoutMs);
  const end = setTimeout(() => fail(`The tests took over ${phaseTimeoutMs / 1000} s`), phaseTimeoutMs);
  void server.ended.then(() => fail('The VS Code server ended before the tests'));
  try {
    return await Promise.race([exit, trouble]);
  } finally {
    clearTimeout(start);
    clearTimeout(end);
    stop.signal.removeEventListener('abort', onStop);
  }
}

function address(port: number, tests: boolean, folder = launch.folder): string {
  const remote = (file: string) => `vscode-remote://127.0.0.1:${port}${encodeURI(file)}`;
  const payload = [
    ...launch.developmentPaths.map((file) => ['extensionDevelopmentPath', remote(file)]),
    ...(tests ? [['extensionTestsPath', remote(launch.testsPath)]] : []),
    ['skipWelcome', 'true'],
  ];
  const query = new URLSearchParams({ payload: JSON.stringify(payload) });
  if (folder) query.set('folder', folder);
  return `http://127.0.0.1:${port}/?${query}`;
}
