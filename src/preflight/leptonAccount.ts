import {
  type LeptonAccountReading,
  leptonVariables,
  readLeptonAccount,
} from '../platforms/lepton/account.ts';
import { type CredentialPlaces, findCredentials } from './credentials.ts';

/**
 * The Lepton workspace that is set up, from the places where all keys are looked for.
 * @param workspace the setting's, for when no other place names one
 */
export async function findLeptonAccount(
  places: CredentialPlaces,
  workspace: string,
): Promise<LeptonAccountReading> {
  const found = await findCredentials(leptonVariables, places);
  return readLeptonAccount({
    LEPTON_WORKSPACE_ID: found.get('LEPTON_WORKSPACE_ID')?.value ?? workspace,
    LEPTON_WORKSPACE_TOKEN: found.get('LEPTON_WORKSPACE_TOKEN')?.value,
    LEPTON_WORKSPACE_URL: found.get('LEPTON_WORKSPACE_URL')?.value,
  });
}
