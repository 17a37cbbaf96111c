import path from 'node:path';
import { parseArgs } from 'node:util';

/** What a test run asks of VS Code's executable. */
export interface LaunchArguments {
  readonly userDataDir: string;
  readonly extensionsDir: string;
  readonly developmentPaths: readonly string[];
  readonly testsPath: string;
  readonly workspaceTrust: boolean;
  readonly folder: string | undefined;
}

/** Reads VS Code's own flags as @vscode/test-electron passes them; flags that mean nothing here are ignored. */
export function parseLaunchArguments(argv: readonly string[]): LaunchArguments {
  const { values, positionals } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    options: {
      'user-data-dir': { type: 'string' },
      'extensions-dir': { type: 'string' },
      extensionDevelopmentPath: { type: 'string', multiple: true },
      extensionTestsPath: { type: 'string' },
      'disable-workspace-trust': { type: 'boolean' },
    },
  });
  const required = (name: 'user-data-dir' | 'extensions-dir' | 'extensionTestsPath'): string => {
    const value = values[name];
    if (typeof value !== 'string') throw new Error(`The launch needs --${name}`);
    return path.resolve(value);
  };
  const folder = positionals[0];
  return {
    userDataDir: required('user-data-dir'),
    extensionsDir: required('extensions-dir'),
    developmentPaths: (values.extensionDevelopmentPath ?? []).flatMap((item) =>
      typeof item === 'string' ? [path.resolve(item)] : [],
    ),
    testsPath: required('extensionTestsPath'),
    workspaceTrust: values['disable-workspace-trust'] !== true,
    folder: folder === undefined ? undefined : path.resolve(folder),
  };
}
