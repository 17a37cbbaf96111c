import type { Demo } from '../demo.ts';
import { clickViewAction, pickerText, quickPick, typeInQuickInput } from '../workbench.ts';

/** Presses the view's + and looks for an L40S among the offers and their prices. */
export async function openOffers({ page }: Demo): Promise<string> {
  await clickViewAction(page, 'Instances', 'Create Instance');
  await quickPick(page, '$').waitFor();
  await typeInQuickInput(page, 'L40S');
  await quickPick(page, /1 × L40S/).waitFor();
  return await pickerText(page);
}
