import type { Page } from 'playwright-core';
import type { Demo } from '../demo.ts';
import { quickInput, quickPick, treeRow, treeText } from '../workbench.ts';
import { newInstance } from './names.ts';

/** Takes the cheapest L40S, no fallbacks, the name that is proposed, to keep; the instance appears in the tree. */
export async function createInstance({ page }: Demo): Promise<string> {
  await takeCheapest(page);
  await treeRow(page, newInstance).waitFor({ timeout: 30_000 });
  return await treeText(page);
}

/** Goes through the wizard to its end. */
export async function takeCheapest(page: Page): Promise<void> {
  await quickPick(page, /1 × L40S/).click();
  await quickInput(page).getByText('Create Instance: Fallbacks').waitFor();
  await quickPick(page, 'L40S').waitFor();
  await page.keyboard.press('Enter');
  await quickInput(page).getByText('Create Instance: Name').waitFor();
  await page.keyboard.press('Enter');
  await quickInput(page).getByText('Create Instance: Lifetime').waitFor();
  await quickPick(page, 'Keep until I delete it').click();
}
