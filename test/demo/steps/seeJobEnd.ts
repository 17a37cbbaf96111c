import type { Demo } from '../demo.ts';
import { expandRow, lineOf, notification, showContainer, treeRow, treeText } from '../workbench.ts';
import { newInstance } from './names.ts';

/** Sees the notification that the job ended, and the job complete under its instance. */
export async function seeJobEnd({ page }: Demo): Promise<string> {
  const ended = notification(page, /segformer-train.*finished/);
  await ended.waitFor({ timeout: 60_000 });
  const words = await lineOf(ended);
  await showContainer(page, 'Brev');
  await expandRow(page, newInstance);
  await treeRow(page, /segformer.*complete/).waitFor();
  return `${words}\n${await treeText(page)}`;
}
