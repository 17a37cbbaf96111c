import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { SdkPlace } from './sdkInstall.ts';

/**
 * Where the SDK is, or would go: the interpreter of the setting; the one that is chosen in the Python extension, if that
 * has the SDK already; else a virtual environment of our own.
 */
export function sdkPlace(setting: string, ownFolder: string, chosen: string | undefined): SdkPlace {
  if (setting !== '') {
    return { kind: 'interpreter', python: setting };
  }
  return chosen !== undefined && hasSdk(chosen)
    ? { kind: 'interpreter', python: chosen }
    : { kind: 'venv', base: 'python3', folder: path.join(ownFolder, 'python') };
}

/** By its files: asking the interpreter itself takes a second, and this is asked whenever a run is reviewed. */
function hasSdk(python: string): boolean {
  const libraries = path.join(path.dirname(path.dirname(python)), 'lib');
  try {
    return readdirSync(libraries).some(
      (name) => /^python3/.test(name) && existsSync(path.join(libraries, name, 'site-packages', 'tao_sdk')),
    );
  } catch {
    // no environment, or one that may not be read
    return false;
  }
}

/** The interpreter of a place, once there is one; undefined where nothing was installed or set. */
export function pythonAt(place: SdkPlace): string | undefined {
  if (place.kind === 'interpreter') {
    return place.python;
  }
  const python = path.join(place.folder, 'bin/python');
  return existsSync(python) ? python : undefined;
}
