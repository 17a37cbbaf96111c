import type { Demo } from '../demo.ts';
import { lineOf, quickPick, runCommand } from '../workbench.ts';
import { panelPage } from './panelPage.ts';

/** Opens the curves of the run that goes on, and hides one of them. */
export async function openCurves({ page }: Demo): Promise<string> {
  await runCommand(page, 'Show Curves');
  await quickPick(page, 'segformer-train').click();
  const panel = panelPage(page);
  const curve = panel.locator('figure[aria-label^="Loss"] .u-series').nth(1);
  await curve.locator('.u-label').click();
  await panel.locator('figure[aria-label^="Loss"] .u-series.u-off').waitFor();
  return `${await lineOf(panel.locator('.progress'))}\nhidden: ${await lineOf(curve)}`;
}
