import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, readJsonIfThere, writeAtomic } from '../json.ts';

export const DOCKER_HUB = 'https://index.docker.io/v1/';

export interface Credential {
  user: string;
  secret: string;
}

/** Where this user's docker keeps its logins; sudo's is another file. */
export function configFile(): string {
  const folder = process.env.DOCKER_CONFIG ?? '';
  return join(folder === '' ? join(process.env.HOME ?? '/', '.docker') : folder, 'config.json');
}

function readConfig(): Record<string, unknown> {
  const config = readJsonIfThere(configFile());
  return isRecord(config) ? config : {};
}

function readLogins(): Record<string, unknown> {
  const { auths } = readConfig();
  return isRecord(auths) ? auths : {};
}

/** The login for a registry, stored as docker does: base64, in clear for whoever can read the file. */
export function readCredential(registry: string): Credential | undefined {
  const login = readLogins()[registry];
  if (!isRecord(login) || typeof login.auth !== 'string') return undefined;
  const [user = '', ...secret] = Buffer.from(login.auth, 'base64').toString().split(':');
  return { user, secret: secret.join(':') };
}

function writeLogins(auths: Record<string, unknown>): void {
  const file = configFile();
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  writeAtomic(file, `${JSON.stringify({ ...readConfig(), auths }, null, '\t')}`, 0o600);
}

export function storeCredential(registry: string, { user, secret }: Credential): void {
  const auth = Buffer.from(`${user}:${secret}`).toString('base64');
  writeLogins({ ...readLogins(), [registry]: { auth } });
}

/** Forgets a login; false when there was none. */
export function removeCredential(registry: string): boolean {
  const { [registry]: known, ...others } = readLogins();
  if (known === undefined) return false;
  writeLogins(others);
  return true;
}
