import type { Demo } from '../demo.ts';
import { seeCurvesAgain } from './seeCurvesAgain.ts';

/** Reloads the page by the browser's own key; the curves are there again by themselves. */
export async function reloadByBrowser(demo: Demo): Promise<string> {
  await demo.page.reload({ timeout: 60_000 });
  return await seeCurvesAgain(demo);
}
