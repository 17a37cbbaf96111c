import type { Demo } from '../demo.ts';
import { openContextMenu, showContainer, treeRow } from '../workbench.ts';

/** Finds the segmentation spec in the explorer and right-clicks it. */
export async function chooseSpec({ page }: Demo): Promise<string> {
  await showContainer(page, 'Explorer');
  const spec = treeRow(page, 'segmentation.yaml');
  if (!(await spec.isVisible())) await treeRow(page, 'specs').click();
  await spec.click();
  const menu = await openContextMenu(page, spec);
  await menu.filter({ hasText: 'Run Spec on Brev Instance' }).waitFor();
  return (await menu.allInnerTexts()).join(' | ');
}
