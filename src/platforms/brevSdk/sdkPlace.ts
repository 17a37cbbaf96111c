import { existsSync } from 'node:fs';
import path from 'node:path';
import type { SdkPlace } from './sdkInstall.ts';

/** Where the SDK is, or would go: the interpreter that the user has set, else a virtual environment of our own. */
export function sdkPlace(interpreter: string, ownFolder: string): SdkPlace {
  return interpreter === ''
    ? { kind: 'venv', base: 'python3', folder: path.join(ownFolder, 'python') }
    : { kind: 'interpreter', python: interpreter };
}

/** The interpreter of a place, once there is one; undefined where nothing was installed or set. */
export function pythonAt(place: SdkPlace): string | undefined {
  if (place.kind === 'interpreter') {
    return place.python;
  }
  const python = path.join(place.folder, 'bin/python');
  return existsSync(python) ? python : undefined;
}
