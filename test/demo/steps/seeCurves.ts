import type { Demo } from '../demo.ts';
import { lineOf, notification } from '../workbench.ts';

/** Opens the curves from the notification: the loss has fallen, the cost is there. */
export async function seeCurves({ page }: Demo): Promise<string> {
  const ended = notification(page, /segformer-train.*finished/);
  await ended.hover();
  await page.locator('.notifications-toasts').getByRole('button', { name: 'Curves' }).click();
  const panel = page.frameLocator('iframe.webview').frameLocator('iframe#active-frame');
  await panel.locator('.u-over').first().waitFor({ timeout: 30_000 });
  await panel.locator('#table tr').nth(2).waitFor();
  return [await lineOf(panel.locator('dl')), await lineOf(panel.locator('#table'))].join('\n');
}
