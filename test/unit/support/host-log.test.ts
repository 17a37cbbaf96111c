import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { extensionErrors } from '../../support/host-log.ts';
import { cacheRoot, repositoryRoot } from '../../support/paths.ts';

const ours = `2026-12-01 10:00:02.000 [error] Error: ours\n\tat ${repositoryRoot}/dist/extension.cjs:1:1`;
const named = '2026-12-01 10:00:03.000 [error] Activating extension publisher.name failed';
const log = [
  '2026-12-01 10:00:00.000 [info] ExtensionService#_doActivateExtension publisher.name',
  `2026-12-01 10:00:01.000 [error] Error: VS Code's own\n\tat ${cacheRoot}/vscode-host/extension.js:1:1`,
  ours,
  named,
  `2026-12-01 10:00:04.000 [warning] ${repositoryRoot}/dist`,
].join('\n');

describe('extensionErrors', () => {
  it("finds the errors of this project's files and of the extension by its name", async (t) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'host-log-'));
    t.after(() => rm(folder, { recursive: true }));
    await mkdir(path.join(folder, 'logs/x/exthost1'), { recursive: true });
    await writeFile(path.join(folder, 'logs/x/exthost1/remoteexthost.log'), log);
    assert.deepEqual(await extensionErrors(folder, 'publisher.name'), [ours, named]);
  });
});
