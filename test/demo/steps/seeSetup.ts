import type { Demo } from '../demo.ts';
import { runCommand, treeRow, treeText } from '../workbench.ts';

/** Looks at the set-up: each line with its state, and what is missing first. */
export async function seeSetup({ page }: Demo): Promise<string> {
  await runCommand(page, 'Brev: Check My Setup');
  await treeRow(page, /Brev CLI/).waitFor();
  await treeRow(page, /not installed/).waitFor({ timeout: 30_000 });
  return await treeText(page);
}
