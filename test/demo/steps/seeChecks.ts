import type { Demo } from '../demo.ts';
import { pickerText, quickPick } from '../workbench.ts';

/** Starts the run: all that could keep it from working is looked at first, as one list. */
export async function seeChecks({ page }: Demo): Promise<string> {
  await quickPick(page, 'Run segformer train').click();
  await quickPick(page, 'Run anyway').waitFor({ timeout: 60_000 });
  return await pickerText(page);
}
