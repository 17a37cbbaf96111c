import {
  type LeptonAccountReading,
  leptonVariables,
  readLeptonAccount,
} from '../../platforms/lepton/account.ts';
import { LeptonClient } from '../../platforms/lepton/client.ts';
import { findCredentials } from '../credentials.ts';
import type { CheckContext } from './check.ts';

/** The time that one call of a check may take. */
const CALL_MS = 30_000;

/** The Lepton workspace that is set up, from the places where all keys are looked for. */
export async function leptonAccount(
  context: Pick<CheckContext, 'environment' | 'envFile' | 'secrets'>,
): Promise<LeptonAccountReading> {
  const { environment, secrets } = context;
  const read = await context.envFile();
  const envFile = read.kind === 'ok' ? read.value : undefined;
  const found = await findCredentials(leptonVariables, { environment, envFile, secrets });
  return readLeptonAccount(
    Object.fromEntries(leptonVariables.map((name) => [name, found.get(name)?.value] as const)),
  );
}

/** A client for the workspace that is set up; undefined where there is none. */
export async function leptonClient(context: CheckContext): Promise<LeptonClient | undefined> {
  const reading = await leptonAccount(context);
  return reading.kind === 'ok'
    ? new LeptonClient({ account: reading.account, fetch: globalThis.fetch, timeoutMs: CALL_MS })
    : undefined;
}
