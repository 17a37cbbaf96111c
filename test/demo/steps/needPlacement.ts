import type { Demo } from '../demo.ts';
import { pickerText, quickInput, quickPick } from '../workbench.ts';
import { takeCheapest } from './createInstance.ts';

/** Creates on an account with several places: Brev refuses, and the choice of the place opens. */
export async function needPlacement({ page }: Demo): Promise<string> {
  await takeCheapest(page);
  await quickInput(page).getByText('Placement: Cloud Credential').waitFor({ timeout: 30_000 });
  await quickPick(page, 'Another id').waitFor();
  return await pickerText(page);
}
