import { reloadWindow } from '../../support/reload-window.ts';
import type { Demo } from '../demo.ts';
import { seeCurvesAgain } from './seeCurvesAgain.ts';

/** Reloads the window by VS Code's command; the curves are there again by themselves. */
export async function reloadByCommand(demo: Demo): Promise<string> {
  await reloadWindow(demo.page, 60_000);
  return await seeCurvesAgain(demo);
}
