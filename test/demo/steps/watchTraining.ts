import type { Demo } from '../demo.ts';
import { outputText, quickPick } from '../workbench.ts';

/** Starts the run and sees its log come in. */
export async function watchTraining({ page }: Demo): Promise<string> {
  await quickPick(page, 'Run segformer train').click();
  await outputText(page)
    .filter({ hasText: /Epoch\s\d/ })
    .first()
    .waitFor({ timeout: 60_000 });
  return (await outputText(page).allInnerTexts()).slice(-6).join('\n');
}
