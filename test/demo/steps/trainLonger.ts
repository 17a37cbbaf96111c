import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Demo } from '../demo.ts';
import { contextMenu, outputText, quickPick } from '../workbench.ts';
import { chooseSpec } from './chooseSpec.ts';

const INSTANCE = 'seg-train-l40s';

/** Runs the spec on an instance that runs already, with so many epochs that all that follows happens meanwhile. */
export async function trainLonger(demo: Demo): Promise<string> {
  const spec = path.join(demo.folder, 'specs/segmentation.yaml');
  const text = await readFile(spec, 'utf8');
  await writeFile(spec, text.replace(/num_epochs: \d+/, 'num_epochs: 900'));
  await chooseSpec(demo);
  const { page } = demo;
  await contextMenu(page).filter({ hasText: 'Run Spec on Brev Instance' }).click();
  await quickPick(page, INSTANCE).click();
  await quickPick(page, 'Run segformer train').click();
  const anyway = quickPick(page, 'Run anyway');
  await anyway.waitFor({ timeout: 60_000 });
  await anyway.click();
  const epoch = outputText(page).filter({ hasText: /Epoch\s\d/ });
  await epoch.first().waitFor({ timeout: 60_000 });
  return (await outputText(page).allInnerTexts()).slice(-3).join('\n');
}
