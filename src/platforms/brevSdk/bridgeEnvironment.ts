import path from 'node:path';

/**
 * What the SDK would take from its environment and put on command lines (tao.md part 1, Env), and what changes what
 * its Python runs. BREV_API_TOKEN too: signing in is ours, and the SDK's `brev login --token` would show the token.
 */
const LEFT_OUT = new Set([
  'BREV_API_TOKEN',
  'ACCESS_KEY',
  'SECRET_KEY',
  'S3_ENDPOINT_URL',
  'S3_BUCKET_NAME',
  'HF_TOKEN',
  'NGC_KEY',
  'PYTHONPATH',
  'PYTHONHOME',
  'PYTHONSTARTUP',
  'PYTHONINSPECT',
]);

export interface BridgePlaces {
  /** The interpreter that has the SDK. */
  readonly python: string;
  /** The installed CLI, an absolute path. */
  readonly cli: string;
  /** Where writeBridgeFiles put the bridge. */
  readonly home: string;
  /** Absolute: the SDK's own state, and the bridge's in a folder of it. */
  readonly stateFolder: string;
}

/** The environment of the bridge: the CLI's, without secrets, with the adapter first on the PATH. */
export function bridgeEnvironment(
  base: Readonly<Record<string, string>>,
  places: BridgePlaces,
): Record<string, string> {
  const kept = Object.entries(base).filter(([name]) => !LEFT_OUT.has(name) && !name.startsWith('AWS_'));
  return {
    ...Object.fromEntries(kept),
    PATH: [path.join(places.home, 'bin'), base.PATH ?? '/usr/bin:/bin'].join(path.delimiter),
    TAO_SDK_STATE_DIR: places.stateFolder,
    BREV_ADAPTER_CLI: places.cli,
    BREV_ADAPTER_PYTHON: places.python,
    BREV_ADAPTER_HOME: places.home,
    BREV_ADAPTER_STATE: path.join(places.stateFolder, 'brev-instances'),
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONUTF8: '1',
  };
}
