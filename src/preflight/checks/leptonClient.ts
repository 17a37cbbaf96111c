import { LeptonClient } from '../../platforms/lepton/client.ts';
import type { CheckContext } from './check.ts';

/** The time that one call of a check may take. */
const CALL_MS = 30_000;

/** A client for the workspace that is set up; undefined where there is none. */
export async function leptonClient(context: CheckContext): Promise<LeptonClient | undefined> {
  const reading = await context.leptonAccount();
  return reading.kind === 'ok'
    ? new LeptonClient({ account: reading.account, fetch: globalThis.fetch, timeoutMs: CALL_MS })
    : undefined;
}
