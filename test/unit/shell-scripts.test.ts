import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { repositoryRoot } from '../support/paths.ts';
import { findShellcheck } from '../support/shellcheck.ts';

const scripts = globSync('src/**/*.sh', { cwd: repositoryRoot });
/** False where a function calls the program of its own name by sudo. */
const FALSE_ALARMS = 'SC2032,SC2033';

describe('the remote scripts', () => {
  it('are there', () => {
    assert.ok(scripts.length >= 5, scripts.join());
  });

  it('have nothing that shellcheck warns of', async () => {
    await findShellcheck(console.log);
    const args = [
      '--shell=bash',
      '--severity=warning',
      `--exclude=${FALSE_ALARMS}`,
      '--format=gcc',
      ...scripts,
    ];
    const { stdout, status, error } = spawnSync('shellcheck', args, {
      cwd: repositoryRoot,
      encoding: 'utf8',
    });
    assert.equal(error, undefined);
    assert.equal(stdout, '');
    assert.equal(status, 0);
  });

  it('say in their first lines what they do, and can be parsed by bash', () => {
    for (const script of scripts) {
      const file = path.join(repositoryRoot, script);
      assert.match(readFileSync(file, 'utf8'), /^(?:#!\S.*\n)?# ?\S/, script);
      const { status, stderr } = spawnSync('bash', ['-n', file], { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
    }
  });
});
