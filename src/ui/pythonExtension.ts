import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';

/** What is used of the API of Microsoft's Python extension: its type package would be all of it. */
const activePath = z.object({ path: z.string() });

/** The interpreter that is chosen in the Python extension; undefined where there is none, or nobody trusts the folder. */
export function chosenPython(): string | undefined {
  const python = vscode.extensions.getExtension<unknown>('ms-python.python');
  if (python?.isActive !== true || !vscode.workspace.isTrusted) {
    return undefined;
  }
  const { exports } = python;
  const environments =
    typeof exports === 'object' && exports !== null && 'environments' in exports
      ? exports.environments
      : undefined;
  if (
    typeof environments !== 'object' ||
    environments === null ||
    !('getActiveEnvironmentPath' in environments) ||
    typeof environments.getActiveEnvironmentPath !== 'function'
  ) {
    return undefined;
  }
  const found = activePath.safeParse(environments.getActiveEnvironmentPath());
  // a bare `python` would be another program in another folder
  return found.success && isAbsolute(found.data.path) ? found.data.path : undefined;
}
