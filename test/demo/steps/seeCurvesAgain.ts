import type { Demo } from '../demo.ts';
import { lineOf } from '../workbench.ts';
import { panelPage } from './panelPage.ts';

/** Sees the curves as they were left, one hidden, and the run going on in them. No notification came up. */
export async function seeCurvesAgain({ page }: Demo): Promise<string> {
  const panel = panelPage(page);
  await panel.locator('figure[aria-label^="Loss"] .u-series.u-off').waitFor({ timeout: 60_000 });
  const progress = panel.locator('.progress');
  const before = await lineOf(progress);
  await progress.filter({ hasNotText: before }).waitFor();
  const toasts = await page.locator('.notifications-toasts .notification-list-item-message').allInnerTexts();
  if (toasts.length > 0) throw new Error(`There are notifications: ${toasts.join(' | ')}`);
  return `${before}, then ${await lineOf(progress)}`;
}
