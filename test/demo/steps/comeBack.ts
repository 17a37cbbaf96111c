import type { Demo } from '../demo.ts';
import { runCommand } from '../workbench.ts';
import { seeCurvesAgain } from './seeCurvesAgain.ts';

/** Puts the curves behind another editor, and comes back to them. */
export async function comeBack(demo: Demo): Promise<string> {
  const { page } = demo;
  await runCommand(page, 'Single Column Editor Layout');
  await page.locator('.part.editor .tab').filter({ hasText: 'segmentation.yaml' }).click();
  await page.locator('.part.editor .view-lines').first().waitFor();
  await page.locator('.part.editor .tab').filter({ hasText: 'segformer-train' }).click();
  return await seeCurvesAgain(demo);
}
