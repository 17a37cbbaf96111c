import type { Demo } from '../demo.ts';
import { treeRow, treeText } from '../workbench.ts';
import { newInstance } from './names.ts';

/** Waits until the new instance isn't only running but answers. */
export async function waitUntilReady({ page }: Demo): Promise<string> {
  await treeRow(page, newInstance)
    .filter({ hasText: /ready ·/ })
    .waitFor({ timeout: 60_000 });
  return await treeText(page);
}
