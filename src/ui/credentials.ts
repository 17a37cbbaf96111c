import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Placement } from '../brev/create.ts';
import type { LeptonAccountReading } from '../platforms/lepton/account.ts';
import {
  type Credential,
  type CredentialName,
  type CredentialPlaces,
  findCredential,
  taoEnvFile,
} from '../preflight/credentials.ts';
import type { EnvFile } from '../preflight/envFile.ts';
import type { Redactor } from '../process/redact.ts';
import type { Outcome } from '../values/outcome.ts';
import { askText } from './quickInput.ts';
import { settings } from './settings.ts';

/** Those whose value nobody may see. A bucket or a region is an ordinary word, and masking it would garble the logs. */
const SECRET: ReadonlySet<CredentialName> = new Set([
  'BREV_API_TOKEN',
  'NGC_KEY',
  'HF_TOKEN',
  'ACCESS_KEY',
  'SECRET_KEY',
  'AWS_SESSION_TOKEN',
  'LEPTON_WORKSPACE_TOKEN',
]);

/** The user's credentials: environment, then `~/.config/tao/.env`, then VS Code's secret storage. */
export class Credentials {
  readonly #secrets: vscode.SecretStorage;
  readonly #redactor: Redactor;

  constructor(secrets: vscode.SecretStorage, redactor: Redactor) {
    this.#secrets = secrets;
    this.#redactor = redactor;
  }

  get envFilePath(): string {
    return taoEnvFile(process.env.HOME ?? homedir());
  }

  /** Tells when a secret changed, in this window or another. */
  onChange(listener: () => void): vscode.Disposable {
    return this.#secrets.onDidChange(listener);
  }

  async envFile(): Promise<Outcome<EnvFile>> {
    const { readEnvFile } = await import('../preflight/envFile.ts');
    return readEnvFile(this.envFilePath);
  }

  /** A credential and where it was found; from then on it is masked wherever it would be shown. */
  async find(name: CredentialName): Promise<Credential | undefined> {
    const found = await findCredential(name, await this.#places());
    if (found !== undefined && SECRET.has(name)) {
      this.#redactor.addSecret(found.value);
    }
    return found;
  }

  /** The Lepton workspace that is set up; from then on its token is masked wherever it would be shown. */
  async leptonAccount(): Promise<LeptonAccountReading> {
    const { findLeptonAccount } = await import('../preflight/leptonAccount.ts');
    const reading = await findLeptonAccount(await this.#places(), settings.leptonWorkspace());
    if (reading.kind === 'ok') {
      this.#redactor.addSecret(reading.account.token);
    }
    return reading;
  }

  /** Where instances are to be created, when that was chosen. */
  async placement(): Promise<Placement | undefined> {
    const envFile = await this.envFile();
    if (envFile.kind !== 'ok') {
      return undefined;
    }
    const { readPlacement } = await import('../preflight/placement.ts');
    return readPlacement(envFile.value);
  }

  /** Asks for a credential and keeps it in the secret storage. False when the user didn't give it. */
  async enter(name: CredentialName, why: string): Promise<boolean> {
    const typed = await askText({
      title: name,
      prompt: vscode.l10n.t('{0} It is kept in the secret storage of VS Code.', why),
      password: true,
      validate: (value) =>
        /^\S+$/.test(value.trim()) ? undefined : vscode.l10n.t('Paste the value, without blanks.'),
    });
    if (typed.kind !== 'picked') {
      return false;
    }
    if (SECRET.has(name)) {
      this.#redactor.addSecret(typed.value.trim());
    }
    await this.#secrets.store(name, typed.value.trim());
    return true;
  }

  /** Forgets a credential that was entered here; other places are the user's own. */
  async forget(name: CredentialName): Promise<void> {
    await this.#secrets.delete(name);
  }

  async #places(): Promise<CredentialPlaces> {
    const envFile = await this.envFile();
    return {
      environment: process.env,
      envFile: envFile.kind === 'ok' ? envFile.value : undefined,
      secrets: async (key) => this.#secrets.get(key),
    };
  }
}
