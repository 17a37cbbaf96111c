import { rename } from 'node:fs/promises';
import type { Demo } from '../demo.ts';
import { runCommand, treeRow, treeText } from '../workbench.ts';

/** The CLI is installed meanwhile: one more look, and the instances are there, and the set-up has seen it too. */
export async function installCli({ page, cloud }: Demo): Promise<string> {
  await rename(`${cloud.brevPath}.away`, cloud.brevPath);
  await runCommand(page, 'Brev: Refresh Instances');
  await treeRow(page, 'seg-train-l40s').waitFor({ timeout: 30_000 });
  await treeRow(page, /Brev CLI.*Found:/).waitFor({ timeout: 30_000 });
  return await treeText(page);
}
