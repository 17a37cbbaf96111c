import { shortLine } from './excerpt.ts';
import type { PullTrouble, Trouble } from './trouble.ts';

/** Words of docker and of registries, the particular before the general (tao.md part 3, sample 13; users.md F). */
const REASONS: readonly (readonly [why: PullTrouble, words: RegExp])[] = [
  ['loginRefused', /login to \S{1,100} was refused|incorrect username or password|login attempt to/i],
  ['noEntitlement', /403 forbidden|no entitlement|insufficient_scope/i],
  ['registryHiccup', /failed to fetch anonymous token/i],
  ['rateLimit', /toomanyrequests|too many requests|rate limit/i],
  ['noSuchImage', /manifest unknown|manifest for \S{1,200} not found|repository \S{1,200} not found/i],
  ['diskFull', /no space left on device/i],
  ['loginNeeded', /unauthorized|authentication required|access denied|denied:|401/i],
  [
    'network',
    /i\/o timeout|tls handshake timeout|no such host|connection (?:refused|reset)|network is unreachable|context deadline exceeded|unexpected eof/i,
  ],
];

/** Why a pull failed, from the words of docker or of the registry. */
export function pullTrouble(text: string): Trouble & { readonly kind: 'imagePull' } {
  const looked = text.slice(0, 2000);
  const why = REASONS.find(([, words]) => words.test(looked))?.[0] ?? 'other';
  return { kind: 'imagePull', why, text: shortLine(looked) };
}
