import type { Demo } from '../demo.ts';
import { lineOf, outputText } from '../workbench.ts';
import { panelPage } from './panelPage.ts';

/** Sees the curves as they were left, one hidden, the run going on in them, and its log. No notification came up. */
export async function seeCurvesAgain({ page }: Demo): Promise<string> {
  const panel = panelPage(page);
  await panel.locator('figure[aria-label^="Loss"] .u-series.u-off').waitFor({ timeout: 60_000 });
  const progress = panel.locator('.progress');
  const before = await lineOf(progress);
  await progress.filter({ hasNotText: before }).waitFor();
  const log = outputText(page).filter({ hasText: /Epoch\s\d/ });
  await log.first().waitFor();
  const toasts = await page.locator('.notifications-toasts .notification-list-item-message').allInnerTexts();
  if (toasts.length > 0) throw new Error(`There are notifications: ${toasts.join(' | ')}`);
  return `${before}, then ${await lineOf(progress)}`;
}
