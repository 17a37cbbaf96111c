import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Machine } from './machine.ts';

const SHOW = ['bash', '-c', 'echo "$HOME|$NGC_KEY|$EXTRA|$USER"; exit 6'];

describe('sudo', { concurrency: 2 }, () => {
  it('runs the command as root: another home, none of the caller’s variables, the command’s exit code', async () => {
    using machine = new Machine();
    const env = { NGC_KEY: 'nvapi-x', EXTRA: 'e' };
    const outcome = await machine.run('sudo', ['-n', ...SHOW], { env });
    assert.deepEqual([outcome.code, outcome.stdout], [6, `${machine.dir}/root-home|||root\n`]);
    const kept = await machine.run('sudo', ['-n', '--preserve-env=NGC_KEY', ...SHOW], { env });
    assert.equal(kept.stdout, `${machine.dir}/root-home|nvapi-x||root\n`);
    const all = await machine.run('sudo', ['-E', '--', ...SHOW], { env });
    assert.equal(all.stdout, `${machine.dir}/root-home|nvapi-x|e|root\n`);
    const given = await machine.run('sudo', ['-n', 'EXTRA=given', ...SHOW], { env });
    assert.equal(given.stdout, `${machine.dir}/root-home||given|root\n`);
  });

  it('a command that is not there is its own error; -v says that one may', async () => {
    using machine = new Machine();
    const missing = await machine.run('sudo', ['-n', 'no-such-program']);
    assert.deepEqual([missing.code, missing.stderr], [1, 'sudo: no-such-program: command not found\n']);
    assert.equal((await machine.run('sudo', ['-n', '-v'])).code, 0);
    machine.write('sudo-password', '');
    const asked = await machine.run('sudo', ['-n', 'true']);
    assert.deepEqual([asked.code, asked.stderr], [1, 'sudo: a password is required\n']);
  });
});
