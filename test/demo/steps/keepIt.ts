import type { Demo } from '../demo.ts';
import { notification, treeRow, treeText } from '../workbench.ts';
import { newInstance } from './names.ts';

/** Keeps it; it gets ready like any other. */
export async function keepIt({ page }: Demo): Promise<string> {
  await notification(page, /exists, and is billing/).hover();
  await page.locator('.notifications-toasts').getByRole('button', { name: 'Keep' }).click();
  await treeRow(page, newInstance)
    .filter({ hasText: /ready ·/ })
    .waitFor({ timeout: 90_000 });
  return await treeText(page);
}
