import { LeptonClient } from '../../platforms/lepton/client.ts';
import { message } from '../../values/message.ts';
import { failed, type Outcome, ok } from '../../values/outcome.ts';
import type { Credentials } from '../credentials.ts';

const CALL_MS = 30_000;

/** A client for the workspace that is set up, or what is missing, with the step that mends it. */
export async function leptonWorkspace(credentials: Credentials): Promise<Outcome<LeptonClient>> {
  const reading = await credentials.leptonAccount();
  return reading.kind === 'ok'
    ? ok(new LeptonClient({ account: reading.account, fetch: globalThis.fetch, timeoutMs: CALL_MS }))
    : failed({
        kind: 'unexpected',
        message:
          reading.kind === 'absent'
            ? message(
                'NVIDIA DGX Cloud Lepton is not set up: enter the token of your workspace, as id:token.',
              )
            : reading.sentence,
        action: 'enterLeptonToken',
        retrySafe: true,
      });
}
