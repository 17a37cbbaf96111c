import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cleanEnvironment } from '../../support/clean-environment.ts';

it("leaves a developer's accounts out and the rest in", () => {
  const kept = { PATH: '/bin', LANG: 'C', VSCODE_HOST: 'served', DISPLAY: ':0' };
  const dropped = {
    BREV_API_TOKEN: 't',
    NGC_KEY: 'k',
    ACCESS_KEY: 'a',
    VSCODE_IPC_HOOK: 'x',
    npm_config_a: 'b',
  };
  assert.deepEqual(cleanEnvironment({ ...kept, ...dropped }), kept);
});
