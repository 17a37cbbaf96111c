import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../../values/message.ts';
import { failed, type Outcome, ok } from '../../values/outcome.ts';
import { versions } from './bridgeAnswers.ts';
import { writeBridgeFiles } from './bridgeFiles.ts';
import { SdkBridge } from './sdkBridge.ts';

const OLDEST_PYTHON: readonly [number, number] = [3, 10];

export interface SdkRouteOptions {
  /** The interpreter that shall have the SDK: the setting's, or our own virtual environment's; undefined where none is. */
  readonly python: () => string | undefined;
  /** The installed CLI. */
  readonly locate: () => Promise<Outcome<string>>;
  readonly environment: () => Readonly<Record<string, string>>;
  /** A folder of the extension, absolute: the bridge's files and the SDK's state. */
  readonly folder: string;
  readonly log: (line: string) => void;
}

/** What an interpreter has. */
export interface SdkVersions {
  readonly python: string;
  readonly executable: string;
  /** Undefined where the SDK is not installed. */
  readonly sdk: string | undefined;
  /** Whether the SDK doesn't run on this Python. */
  readonly isTooOld: boolean;
}

/** The way to the TAO SDK: one bridge, for the interpreter and the CLI that are set at the moment. */
export class SdkRoute {
  readonly #options: SdkRouteOptions;
  #current: { readonly key: string; readonly bridge: SdkBridge } | undefined;

  constructor(options: SdkRouteOptions) {
    this.#options = options;
  }

  /** A bridge whose interpreter has the SDK; a failure says what is missing. Installs nothing. */
  async bridge(): Promise<Outcome<SdkBridge>> {
    const found = await this.#bridge();
    if (found.kind !== 'ok') {
      return found;
    }
    const has = await readVersions(found.value);
    if (has.kind !== 'ok') {
      return has;
    }
    const { executable, isTooOld, python, sdk } = has.value;
    if (isTooOld) {
      return failed({
        kind: 'unexpected',
        message: message('The TAO SDK needs Python 3.10 or newer; {0} is {1}.', executable, python),
        retrySafe: true,
      });
    }
    return sdk === undefined
      ? failed({
          kind: 'unexpected',
          message: message('The TAO SDK is not installed for {0}.', executable),
          action: 'installSdk',
          retrySafe: true,
        })
      : found;
  }

  /** What the interpreter has, for the check in the Setup view. */
  async versions(): Promise<Outcome<SdkVersions>> {
    const found = await this.#bridge();
    return found.kind === 'ok' ? readVersions(found.value) : found;
  }

  dispose(): void {
    this.#current?.bridge.dispose();
    this.#current = undefined;
  }

  async #bridge(): Promise<Outcome<SdkBridge>> {
    const { environment, folder, locate, log, python: findPython } = this.#options;
    const python = findPython();
    if (python === undefined) {
      return failed({
        kind: 'unexpected',
        message: message('The TAO SDK is not set up.'),
        action: 'installSdk',
        retrySafe: true,
      });
    }
    const cli = await locate();
    if (cli.kind !== 'ok') {
      return cli;
    }
    const home = await writeBridgeFiles(folder);
    const stateFolder = path.join(folder, 'tao-sdk');
    await mkdir(stateFolder, { recursive: true, mode: 0o700 });
    const key = [python, cli.value].join('\0');
    if (this.#current?.key !== key) {
      this.#current?.bridge.dispose();
      const places = { python, cli: cli.value, home, stateFolder };
      this.#current = { key, bridge: new SdkBridge({ ...places, environment: environment(), log }) };
    }
    return ok(this.#current.bridge);
  }
}

async function readVersions(bridge: SdkBridge): Promise<Outcome<SdkVersions>> {
  const answer = await bridge.request('versions', {}, versions);
  return answer.kind === 'ok'
    ? ok({
        ...answer.value,
        sdk: answer.value.sdk ?? undefined,
        isTooOld: isOlderThanNeeded(answer.value.python),
      })
    : answer;
}

function isOlderThanNeeded(python: string): boolean {
  const [major = 0, minor = 0] = python.split('.').map(Number);
  const [wantedMajor, wantedMinor] = OLDEST_PYTHON;
  return major < wantedMajor || (major === wantedMajor && minor < wantedMinor);
}
