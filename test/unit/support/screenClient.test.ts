import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { ScreenClient } from '../../host/screenClient.ts';
import { RUN_FOLDER } from '../../support/host-run.ts';
import { SCREEN_SOCKET } from '../../support/screen-request.ts';

/** A folder of a run, as the environment names it. */
async function runFolder(test: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'screen-'));
  process.env[RUN_FOLDER] = folder;
  test.after(async () => {
    delete process.env[RUN_FOLDER];
    await rm(folder, { recursive: true });
  });
  return folder;
}

describe('the tests’ way to the screen', () => {
  it('says what is missing where the window cannot be looked at, so that such tests fail', async (t) => {
    await runFolder(t);
    await assert.rejects(ScreenClient.connect(), /no screen that tests can read.*VSCODE_HOST=served/);
  });

  it('ends what waits for an answer when the launcher goes', async (t) => {
    const folder = await runFolder(t);
    const server = createServer((socket) => socket.once('data', () => socket.destroy()));
    server.listen(path.join(folder, SCREEN_SOCKET));
    await once(server, 'listening');
    t.after(() => server.close());
    const client = await ScreenClient.connect();
    await assert.rejects(client.ask(0, { do: 'drawn' }), /launcher is gone/);
  });
});
