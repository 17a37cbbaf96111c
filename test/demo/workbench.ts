import type { Locator, Page } from 'playwright-core';

/** Opens VS Code at an address and waits until a person could work in it. */
export async function openWorkbench(page: Page, url: string): Promise<void> {
  await page.goto(url, { timeout: 60_000 });
  await page.locator('.monaco-workbench .part.activitybar').waitFor({ timeout: 60_000 });
  await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor({ timeout: 60_000 });
}

/** Shows a view container by its icon in the activity bar; it stays open when it is already. */
export async function showContainer(page: Page, name: string): Promise<void> {
  const tab = page.locator('.part.activitybar').getByRole('tab', { name: new RegExp(`^${name}\\b`) });
  await tab.waitFor();
  if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
}

/** Runs a command by the command palette. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F1');
  await quickInput(page).locator('input').first().fill(`>${title}`);
  await quickPick(page, title).click();
}

/** The quick input (palette, picker, input box) that is open. */
export function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget:visible');
}

/** The first row of the open picker with this text. */
export function quickPick(page: Page, text: string | RegExp): Locator {
  return quickInput(page).locator('.monaco-list-row').filter({ hasText: text }).first();
}

/** The row of the sidebar's tree with this text. */
export function treeRow(page: Page, text: string | RegExp): Locator {
  return page.locator('.part.sidebar .monaco-list-row').filter({ hasText: text }).first();
}

/** Picks an entry of a row's context menu. */
export async function chooseInContextMenu(page: Page, row: Locator, entry: string): Promise<void> {
  await row.click({ button: 'right' });
  await page.locator('.monaco-menu .action-item').filter({ hasText: entry }).first().click();
}

/** The text of all notifications that are shown. */
export async function notifications(page: Page): Promise<string[]> {
  return await page.locator('.notifications-toasts .notification-list-item-message').allInnerTexts();
}

/** The visible rows of the sidebar's tree, one line each. */
export async function treeText(page: Page): Promise<string> {
  const rows = await page.locator('.part.sidebar .monaco-list-row').allInnerTexts();
  return rows.map((row) => row.replaceAll(/\s+/g, ' ').trim()).join('\n');
}
