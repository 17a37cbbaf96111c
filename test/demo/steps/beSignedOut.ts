import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Demo } from '../demo.ts';
import { showContainer, sidebarText } from '../workbench.ts';

/** Opens the view while the CLI is signed out: it says so, with one button. */
export async function beSignedOut({ page, cloud }: Demo): Promise<string> {
  await rm(path.join(cloud.home, '.brev/credentials.json'));
  await showContainer(page, 'Brev');
  await page.locator('.part.sidebar').getByRole('button', { name: 'Sign In' }).waitFor();
  return await sidebarText(page);
}
