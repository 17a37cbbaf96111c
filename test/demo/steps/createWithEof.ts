import type { Demo } from '../demo.ts';
import { lineOf, notification } from '../workbench.ts';
import { takeCheapest } from './createInstance.ts';

/** The connection breaks while the machine is created: the list tells that it exists, and so is the user. */
export async function createWithEof({ page, cloud }: Demo): Promise<string> {
  await cloud.scenario([{ kind: 'create-lost', command: 'create', arg: '--type' }]);
  await takeCheapest(page);
  const told = notification(page, /exists, and is billing/);
  await told.waitFor({ timeout: 60_000 });
  return await lineOf(told);
}
