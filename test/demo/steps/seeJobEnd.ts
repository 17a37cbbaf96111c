import type { Demo } from '../demo.ts';
import { expandRow, notifications, showContainer, treeRow, treeText } from '../workbench.ts';
import { newInstance } from './names.ts';

/** Sees the job complete under its instance, and the notification that says so. */
export async function seeJobEnd({ page }: Demo): Promise<string> {
  await showContainer(page, 'Brev');
  await expandRow(page, newInstance);
  await treeRow(page, /segformer.*complete/).waitFor({ timeout: 60_000 });
  return [await treeText(page), ...(await notifications(page))].join('\n');
}
