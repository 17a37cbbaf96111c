import type { Demo } from '../demo.ts';
import { outputText, quickPick } from '../workbench.ts';

/** Goes on although a check warns, and sees the log come in. */
export async function watchTraining({ page }: Demo): Promise<string> {
  await quickPick(page, 'Run anyway').click();
  await outputText(page)
    .filter({ hasText: /Epoch\s\d/ })
    .first()
    .waitFor({ timeout: 60_000 });
  return (await outputText(page).allInnerTexts()).slice(-6).join('\n');
}
