import type { Demo } from '../demo.ts';
import { quickInput, quickPick, treeRow, treeText } from '../workbench.ts';
import { newInstance } from './names.ts';

/** Chooses credential and group; the create that was refused goes on by itself. */
export async function choosePlace({ page }: Demo): Promise<string> {
  await quickPick(page, 'aws-research').click();
  await quickInput(page).getByText('Placement: Workspace Group').waitFor();
  await quickPick(page, 'devplane-brev-1').click();
  await treeRow(page, newInstance).waitFor({ timeout: 30_000 });
  return await treeText(page);
}
