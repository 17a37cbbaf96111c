import { mintToken } from '../../brev-sim/sim.ts';
import type { Demo } from '../demo.ts';
import { quickInput, quickPick, showContainer, treeRow, treeText, typeInQuickInput } from '../workbench.ts';

/** Signs in with a token; the instances appear with their prices. */
export async function signInByToken({ page }: Demo): Promise<string> {
  await page.locator('.part.sidebar').getByRole('button', { name: 'Sign In' }).click();
  await quickPick(page, 'With a token').click();
  await quickInput(page).getByText('BREV_API_TOKEN').waitFor();
  await typeInQuickInput(page, mintToken({ expiresInSeconds: 3_600 }));
  await page.keyboard.press('Enter');
  await showContainer(page, 'Brev');
  await treeRow(page, /seg-train-l40s.*\$1.03/).waitFor({ timeout: 30_000 });
  return await treeText(page);
}
