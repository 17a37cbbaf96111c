import { agentSkill } from './agentSkill.ts';
import { canList } from './canList.ts';
import type { Check } from './check.ts';
import { cliFound } from './cliFound.ts';
import { cliVersion } from './cliVersion.ts';
import { envFileReadable } from './envFileReadable.ts';
import { hfTokenPresent, ngcKeyPresent, s3KeysPresent, tokenPresent } from './keys.ts';
import { leptonNodeGroups } from './leptonNodeGroups.ts';
import { leptonToken } from './leptonToken.ts';
import { leptonWorkspace } from './leptonWorkspace.ts';
import { onWindows, skippedOnWindows } from './onWindows.ts';
import { organisation } from './organisation.ts';
import { remoteSsh } from './remoteSsh.ts';
import { signedIn } from './signedIn.ts';
import { sshWorks } from './sshWorks.ts';
import { taoSdk } from './taoSdk.ts';

/** In the order in which they are shown; none comes before what it waits for. */
const checks: readonly Check[] = [
  cliFound,
  cliVersion,
  signedIn,
  organisation,
  canList,
  sshWorks,
  remoteSsh,
  agentSkill,
  envFileReadable,
  tokenPresent,
  ngcKeyPresent,
  hfTokenPresent,
  s3KeysPresent,
  taoSdk,
  leptonWorkspace,
  leptonToken,
  leptonNodeGroups,
];

/** The checks of a system. */
export function checksFor(platform: NodeJS.Platform): readonly Check[] {
  return platform === 'win32' ? [onWindows, ...checks.map(skippedOnWindows)] : checks;
}
