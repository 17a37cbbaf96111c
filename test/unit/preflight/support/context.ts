import assert from 'node:assert/strict';
import type { SetupContext } from '../../../../src/preflight/checks/check.ts';
import { taoEnvFile } from '../../../../src/preflight/credentials.ts';
import { localFiles } from '../../../../src/preflight/localFiles.ts';
import { systemClock } from '../../../../src/process/clock.ts';

const unused = (what: string) => async (): Promise<never> => assert.fail(`${what} was not expected`);

/** A world in which nothing may be used but what the test gives. */
export function fakeContext(given: Partial<SetupContext> = {}): SetupContext {
  const home = given.home ?? '/nowhere';
  return {
    platform: 'linux',
    home,
    environment: {},
    clock: systemClock,
    run: unused('a process'),
    brev: { execute: unused('a call of brev'), dialect: unused('a look at the CLI') },
    locate: unused('a search for the CLI'),
    files: localFiles,
    envFilePath: taoEnvFile(home),
    secrets: async () => undefined,
    tokenInUse: () => undefined,
    leptonAccount: async () => ({ kind: 'absent' }),
    sdk: async () => ({ kind: 'absent' }),
    isExtensionInstalled: () => false,
    workspaceFolders: () => [],
    log: () => undefined,
    ...given,
  };
}
