import { rename } from 'node:fs/promises';
import type { Demo } from '../demo.ts';
import { showContainer, sidebarText } from '../workbench.ts';

/** Opens the view where there is no CLI: it says where to get it. */
export async function haveNoCli({ page, cloud }: Demo): Promise<string> {
  await rename(cloud.brevPath, `${cloud.brevPath}.away`);
  await showContainer(page, 'Brev');
  await page.locator('.part.sidebar').getByRole('button', { name: 'Install the Brev CLI' }).waitFor();
  return await sidebarText(page);
}
