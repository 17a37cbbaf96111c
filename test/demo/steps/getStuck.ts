import type { Demo } from '../demo.ts';
import { lineOf, notification } from '../workbench.ts';
import { takeCheapest } from './createInstance.ts';

/** Creates a machine that never leaves provisioning: after a while other ways are offered. */
export async function getStuck({ page, cloud }: Demo): Promise<string> {
  await cloud.scenario([{ kind: 'never-ready', command: 'create', arg: '--type' }]);
  await takeCheapest(page);
  const offer = notification(page, /has been in provisioning/);
  await offer.waitFor({ timeout: 60_000 });
  return await lineOf(offer);
}
