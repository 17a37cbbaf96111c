import type { Demo } from '../demo.ts';
import { notification, treeRow, treeText } from '../workbench.ts';
import { newInstance } from './names.ts';

/** Takes the way out: the stuck machine is deleted, after one more question, and leaves the list. */
export async function deleteStuck({ page }: Demo): Promise<string> {
  await notification(page, /has been in provisioning/).hover();
  await page.locator('.notifications-toasts').getByRole('button', { name: 'Delete…' }).click();
  await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Delete', exact: true }).click();
  await treeRow(page, newInstance).waitFor({ state: 'detached', timeout: 60_000 });
  return await treeText(page);
}
