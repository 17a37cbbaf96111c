import type { Locator, Page } from 'playwright-core';

/** Opens VS Code at an address and waits until a person could work in it. */
export async function openWorkbench(page: Page, url: string): Promise<void> {
  await page.goto(url, { timeout: 60_000 });
  await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor({ timeout: 60_000 });
}

/** Shows a view container by its icon in the activity bar; it stays when it is open already. */
export async function showContainer(page: Page, name: string): Promise<void> {
  const tab = page.locator('.part.activitybar').getByRole('tab', { name: new RegExp(`^${name}\\b`) });
  await tab.waitFor();
  if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
}

/** Presses a button in the title of one of the sidebar's views. */
export async function clickViewAction(page: Page, view: string, action: string): Promise<void> {
  const pane = page.locator('.part.sidebar .pane').filter({ has: page.getByRole('heading', { name: view }) });
  // Where a container has several views, each shows its buttons only under the pointer.
  await pane.hover();
  await pane
    .getByRole('button', { name: new RegExp(`^${action}`) })
    .first()
    .click();
}

/** The quick input (palette, picker, input box) that is open. */
export function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget:visible');
}

/** Types into the quick input, over what is there. */
export async function typeInQuickInput(page: Page, text: string): Promise<void> {
  await quickInput(page).locator('.quick-input-box input').fill(text);
}

/** The first row of the open picker with this text. */
export function quickPick(page: Page, text: string | RegExp): Locator {
  return quickInput(page).locator('.monaco-list-row').filter({ hasText: text }).first();
}

/** The picker's title and visible rows, one line each. */
export async function pickerText(page: Page): Promise<string> {
  const title = await lineOf(quickInput(page).locator('.quick-input-title'));
  return [title, ...(await spoken(quickInput(page).locator('.monaco-list-row')))].join('\n');
}

/** The first row of the sidebar's tree with this text. */
export function treeRow(page: Page, text: string | RegExp): Locator {
  return page.locator('.part.sidebar .monaco-list-row').filter({ hasText: text }).first();
}

/** Unfolds a row of the sidebar's tree that may be folded. */
export async function expandRow(page: Page, text: string): Promise<void> {
  const row = treeRow(page, text);
  if ((await row.getAttribute('aria-expanded')) !== 'false') return;
  await row.locator('.monaco-tl-twistie').click();
}

/** The visible rows of the sidebar's tree, one line each. */
export async function treeText(page: Page): Promise<string> {
  return (await spoken(page.locator('.part.sidebar .monaco-list-row'))).join('\n');
}

/** What stands in the sidebar where it has no rows: a welcome text. */
export async function sidebarText(page: Page): Promise<string> {
  return (await lines(page.locator('.part.sidebar .welcome-view-content').first())).join('\n');
}

/** Runs a command by its title in the command palette. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F1');
  await typeInQuickInput(page, `>${title}`);
  await quickPick(page, title).click();
}

/** The entries of the open context menu. */
export function contextMenu(page: Page): Locator {
  return page.locator('.monaco-menu .action-item:not(.disabled)');
}

/** Right-clicks something and returns the menu's entries. */
export async function openContextMenu(page: Page, target: Locator): Promise<Locator> {
  await target.click({ button: 'right' });
  await contextMenu(page).first().waitFor();
  return contextMenu(page);
}

/** The visible lines of the output panel. */
export function outputText(page: Page): Locator {
  return page.locator('.part.panel .output-view .view-line, .part.panel .view-line');
}

/** The notification with this text. */
export function notification(page: Page, text: string | RegExp): Locator {
  return page
    .locator('.notifications-toasts .notification-list-item-message')
    .filter({ hasText: text })
    .first();
}

/** What an element says, as one line. */
export async function lineOf(element: Locator): Promise<string> {
  return (await lines(element)).join(' ');
}

// Rows as a screen reader says them: their parts stand apart there.
async function spoken(rows: Locator): Promise<string[]> {
  const labels = (await rows.all()).map(async (row) => (await row.getAttribute('aria-label')) ?? '');
  return await Promise.all(labels);
}

async function lines(locator: Locator): Promise<string[]> {
  return (await locator.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
}
