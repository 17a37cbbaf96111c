import type { Demo } from '../demo.ts';
import { showContainer, treeRow, treeText } from '../workbench.ts';

/** Opens the Brev view and sees the account's instances with their states and prices. */
export async function openBrevView({ page }: Demo): Promise<string> {
  await showContainer(page, 'Brev');
  await treeRow(page, /seg-train-l40s.*\$1.03/).waitFor({ timeout: 30_000 });
  return await treeText(page);
}
