// `npm run demo`: a VS Code with the extension and a simulated cloud, until Ctrl+C. `--smoke DIR` plays a scenario
// (`--scenario NAME`) in it instead, with a picture of each step in DIR.

import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium, launchChromium } from '../support/chromium.ts';
import { openCodeServer } from '../support/code-server-window.ts';
import { chooseHost, servedHost } from '../support/vscode-host.ts';
import { openDesktop } from './desktop-window.ts';
import { play } from './play.ts';
import { scenarioSettings, scenarios } from './scenarios.ts';
import { type DemoSession, withSession } from './session.ts';
import { openWorkbench } from './workbench.ts';

const smokeLimitMs = 240_000;
const INTERRUPTED = 130;

const { values } = parseArgs({
  options: {
    smoke: { type: 'string' },
    scenario: { type: 'string', default: 'train' },
  },
});
// Slow enough for a person to watch; a scenario only waits.
const speed = values.smoke ? { cloud: 30, machines: 1 } : { cloud: 6, machines: 0.3 };
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

process.exitCode = await main().catch((error: unknown) => {
  console.error(error);
  return 1;
});

async function main(): Promise<number> {
  const { smoke } = values;
  const host = smoke ? await servedHost(console.log) : await chooseHost(console.log);
  const settings = (smoke && scenarioSettings.get(values.scenario)) || {};
  return await withSession(speed, settings, async (session) => {
    if (host.kind === 'desktop') {
      console.log(
        'VS Code opens with the extension and a simulated cloud. Close its window or press Ctrl+C to end.',
      );
      await openDesktop({ ...session, executable: host.executable, signal: stop.signal });
      return 0;
    }
    const window = await openCodeServer({ ...session, codeServer: host.folder });
    try {
      if (smoke) return await playScenario(session, window.url, path.resolve(smoke));
      console.log(`VS Code with the extension and a simulated cloud: ${window.url}\nCtrl+C ends it.`);
      if (!stop.signal.aborted) await Promise.race([once(stop.signal, 'abort'), window.ended]);
      return stop.signal.aborted ? 0 : 1;
    } finally {
      await window.dispose();
    }
  });
}

async function playScenario(session: DemoSession, url: string, pictures: string): Promise<number> {
  const steps = scenarios.get(values.scenario);
  if (!steps)
    throw new Error(`No such scenario: ${values.scenario}. There are ${[...scenarios.keys()].join(', ')}`);
  const browser = await launchChromium(await findChromium(console.log), session.env);
  // Whatever a step waits for then ends at once, by failing.
  const close = () => void browser.close();
  stop.signal.addEventListener('abort', close);
  const limit = setTimeout(() => {
    console.log(`The scenario took over ${smokeLimitMs / 1000} s`);
    close();
  }, smokeLimitMs);
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(15_000);
    await openWorkbench(page, url);
    const missing = await play(
      steps,
      { page, folder: session.folder, cloud: session.cloud, say: console.log },
      pictures,
    );
    stop.signal.throwIfAborted();
    console.log(
      `${steps.length - missing} of ${steps.length} steps happened; their pictures are in ${pictures}`,
    );
    return missing === 0 ? 0 : 1;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    console.log('Stopped');
    return INTERRUPTED;
  } finally {
    clearTimeout(limit);
    await browser.close();
  }
}
