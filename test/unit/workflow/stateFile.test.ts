import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { beginState } from '../../../src/workflow/planState.ts';
import { StateFile, stateFileOf } from '../../../src/workflow/stateFile.ts';
import { planOf } from './plans.ts';

describe("a plan's state file", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'plan-state-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('comes back as it was written, by another process too, and leaves nothing else behind', async () => {
    const file = stateFileOf(path.join(folder, 'a.brevflow.yaml'));
    const store = new StateFile(file);
    assert.deepEqual(await store.read(), { kind: 'none' });
    const plan = await planOf([{ platform: 'brev', command: 'true' }]);
    const state = beginState(plan, undefined, { kind: 'anew' }, 5);
    await store.write(state);
    await store.write({ ...state, ended: 'complete' });
    assert.deepEqual(await new StateFile(file).read(), {
      kind: 'read',
      state: { ...state, ended: 'complete' },
    });
    assert.deepEqual(await readdir(folder), ['a.brevflow.yaml.state.json']);
  });

  for (const content of ['', '{', '{"version": 2}', '[]']) {
    it(`is not taken for one when it holds ${JSON.stringify(content)}`, async () => {
      const file = path.join(folder, 'other.state.json');
      await writeFile(file, content);
      assert.equal((await new StateFile(file).read()).kind, 'unreadable');
      assert.equal(await readFile(file, 'utf8'), content);
    });
  }
});
