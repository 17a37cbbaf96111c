import { readFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { deferred } from './deferred.ts';
import { reloadWindow } from './reload-window.ts';
import { type Place, type ScreenAction, type ScreenAnswer, screenRequest } from './screen-request.ts';

const actionTimeoutMs = 10_000;
const openTimeoutMs = 60_000;
/** VS Code's own view containers. */
const MIN_CONTAINERS = 5;

/** The way from the tests in the window to the window itself: answers what they ask of its screen. */
export interface ScreenServer {
  dispose(): void;
}

/** Makes a page tell what is seen in it; to be called before it is loaded. */
export async function makeReadable(page: Page): Promise<void> {
  await page.addInitScript({ path: path.join(import.meta.dirname, 'screen-page.js') });
}

/** Serves the screen of a page, and of windows that the tests open beside it, on a socket. */
export async function serveScreen(options: {
  readonly page: Page;
  readonly socket: string;
  /** The address of a further window, on the same folder or another. */
  readonly further: (folder: string | undefined) => string;
}): Promise<ScreenServer> {
  const windows = [options.page];
  let front = 0;
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    // A reload of the window ends the tests' side at any moment.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => connections.delete(socket));
    createInterface({ input: socket }).on('line', (line) => {
      void answer(line).then((text) => socket.write(`${JSON.stringify(text)}\n`));
    });
  });
  const answer = async (line: string): Promise<ScreenAnswer> => {
    const request = screenRequest.parse(JSON.parse(line));
    try {
      const page = windows[request.window];
      if (page === undefined) throw new Error(`There is no window ${request.window}`);
      // A page in the background draws once a second.
      if (front !== request.window) await page.bringToFront();
      front = request.window;
      if (request.action.do !== 'open') return { id: request.id, value: await act(page, request.action) };
      windows.push(await open(page, options.further(request.action.folder)));
      front = windows.length - 1;
      return { id: request.id, value: windows.length - 1 };
    } catch (error) {
      return { id: request.id, error: error instanceof Error ? error.message : String(error) };
    }
  };
  const { promise, resolve, reject } = deferred<void>();
  server.once('error', reject);
  server.listen(options.socket, resolve);
  await promise;
  return {
    dispose: () => {
      for (const connection of connections) connection.destroy();
      server.close();
    },
  };
}

async function act(page: Page, action: Exclude<ScreenAction, { do: 'open' }>): Promise<unknown> {
  if (action.do === 'click' || action.do === 'key') await page.evaluate('brevScreen.momentLater()');
  switch (action.do) {
    case 'look':
      return await page.evaluate(`brevScreen.look(${action.after}, ${action.waitMs})`);
    case 'panel':
      return await webview(page)
        .locator('body')
        .evaluate(await readFile(path.join(import.meta.dirname, 'panel-page.js'), 'utf8'), undefined, {
          timeout: openTimeoutMs,
        });
    case 'drawn':
      return await page.evaluate('brevScreen.drawn()');
    case 'forgetToasts':
      return await page.evaluate('brevScreen.forgetToasts()');
    case 'showAll':
      return await page.evaluate(`brevScreen.showAll(${action.wanted})`);
    case 'click':
      return await locate(page, action.place).click({
        button: action.button,
        modifiers: action.modifiers,
        timeout: timeoutFor(action.place),
      });
    case 'hover':
      return await locate(page, action.place).hover({ timeout: timeoutFor(action.place) });
    case 'drag':
      return await drag(page, locate(page, action.place), action.from, action.to);
    case 'fill':
      return await locate(page, action.place).fill(action.text, { timeout: actionTimeoutMs });
    case 'key':
      return await page.keyboard.press(action.key);
    case 'focus':
      // A window that VS Code never saw with the focus can't lose it.
      return await page.evaluate(
        `document.hasFocus = () => ${action.focused};
        window.dispatchEvent(new Event('focus'));
        ${action.focused ? '' : "window.dispatchEvent(new Event('blur'));"}`,
      );
    case 'picture':
      await page.screenshot({ path: action.file, animations: 'disabled', timeout: actionTimeoutMs });
      return undefined;
    case 'reload':
      await reloadWindow(page, openTimeoutMs);
      return await opened(page);
    case 'close':
      return await page.close();
  }
}

async function drag(page: Page, over: Locator, from: number, to: number): Promise<void> {
  await over.scrollIntoViewIfNeeded({ timeout: openTimeoutMs });
  const box = await over.boundingBox({ timeout: actionTimeoutMs });
  if (box === null) throw new Error('What is to be dragged over is not seen');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to, y, { steps: 4 });
  await page.mouse.up();
}

/** The page inside the webview that is shown. */
function webview(page: Page): FrameLocator {
  return page.locator('iframe.webview:visible').first().contentFrame().frameLocator('iframe#active-frame');
}

/** What is in a webview may be there again only once a whole window is. */
function timeoutFor({ webview: inside }: Place): number {
  return inside === true ? openTimeoutMs : actionTimeoutMs;
}

function locate(page: Page, { css, has, role, name, webview: inside }: Place): Locator {
  const outer = (inside === true ? webview(page) : page)
    .locator(css)
    .filter(has === undefined ? {} : { hasText: has });
  return (
    role === undefined ? outer : outer.getByRole(role, name === undefined ? {} : { name, exact: true })
  ).first();
}

// In the same browser profile: windows of one person share what VS Code keeps in the browser.
async function open(page: Page, address: string): Promise<Page> {
  const further = await page.context().newPage();
  await makeReadable(further);
  await further.goto(address, { timeout: openTimeoutMs });
  await opened(further);
  return further;
}

/** Waits until a window has put back what was open before: until then it may go over what is opened now. */
async function opened(page: Page): Promise<void> {
  await page.waitForFunction(
    "performance.getEntriesByName('code/LifecyclePhase/Restored').length > 0",
    undefined,
    {
      timeout: openTimeoutMs,
    },
  );
  await page
    .locator('.part.activitybar [role="tab"]')
    .nth(MIN_CONTAINERS - 1)
    .waitFor({ timeout: openTimeoutMs });
}
