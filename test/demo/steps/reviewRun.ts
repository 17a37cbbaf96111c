import type { Demo } from '../demo.ts';
import { contextMenu, pickerText, quickPick } from '../workbench.ts';
import { newInstance } from './names.ts';

/** Runs the spec on the new instance: model and action are guessed, the price stands beside them. */
export async function reviewRun({ page }: Demo): Promise<string> {
  await contextMenu(page).filter({ hasText: 'Run Spec on Brev Instance' }).click();
  await quickPick(page, newInstance).click();
  await quickPick(page, 'Run segformer train').waitFor();
  return await pickerText(page);
}
