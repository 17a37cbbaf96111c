import type { Demo } from '../demo.ts';
import { quickInput, treeRow, treeText } from '../workbench.ts';
import { newInstance } from './names.ts';

/** Chooses credential and group; the create that was refused goes on by itself. */
export async function choosePlace({ page }: Demo): Promise<string> {
  await quickInput(page).locator('.monaco-list-row').first().click();
  await quickInput(page).getByText('Placement: Workspace Group').waitFor();
  await quickInput(page).locator('.monaco-list-row').first().click();
  await treeRow(page, newInstance).waitFor({ timeout: 30_000 });
  return await treeText(page);
}
