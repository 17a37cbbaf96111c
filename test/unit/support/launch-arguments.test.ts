import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseLaunchArguments } from '../../support/launch-arguments.ts';

// As @vscode/test-electron passes them.
const usual = [
  '/work/folder',
  '--user-data-dir=/run/data',
  '--extensions-dir=/run/extensions',
  '--no-sandbox',
  '--skip-welcome',
  '--disable-workspace-trust',
  '--extensionTestsPath=/out/index.cjs',
  '--extensionDevelopmentPath=/work/main',
];

describe('parseLaunchArguments', () => {
  it('reads what a test run passes', () => {
    assert.deepEqual(parseLaunchArguments(usual), {
      userDataDir: '/run/data',
      extensionsDir: '/run/extensions',
      developmentPaths: ['/work/main'],
      testsPath: '/out/index.cjs',
      workspaceTrust: false,
      folder: '/work/folder',
    });
  });

  it('leaves workspace trust on without the flag', () => {
    const launch = parseLaunchArguments(usual.filter((word) => word !== '--disable-workspace-trust'));
    assert.equal(launch.workspaceTrust, true);
  });

  it('says which flag is missing', () => {
    const words = usual.filter((word) => !word.startsWith('--extensionTestsPath'));
    assert.throws(() => parseLaunchArguments(words), /--extensionTestsPath/);
  });
});
