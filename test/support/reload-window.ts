import type { Page } from 'playwright-core';

const COMMAND = 'Developer: Reload Window';

/**
 * Reloads a window by VS Code's own command, as a person does, and resolves when the new page is loaded. Not by the
 * browser's reload: VS Code writes what it is to remember 100 ms later, and only its command waits for that.
 */
export async function reloadWindow(page: Page, timeout: number): Promise<void> {
  const palette = page.locator('.quick-input-widget:visible');
  await page.keyboard.press('F1');
  await palette.locator('.quick-input-box input').fill(`>${COMMAND}`, { timeout });
  const loaded = page.waitForEvent('load', { timeout });
  await palette.locator('.monaco-list-row').filter({ hasText: COMMAND }).first().click({ timeout });
  await loaded;
}
