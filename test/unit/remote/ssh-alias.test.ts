import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Clock } from '../../../src/process/clock.ts';
import { findSshAlias, readSshAlias } from '../../../src/remote/sshAlias.ts';
import { sshConfig } from '../../support/ssh-machine.ts';

const address = { port: 2222, user: 'ubuntu', keyFile: '/home/me/.brev/brev.pem' };
const config = sshConfig(['gpu1', 'gpu1-host', 'gpu2'], address);

describe('findSshAlias', () => {
  it('finds an entry by its exact name', () => {
    assert.match(
      findSshAlias(config, 'gpu1-host')?.text ?? '',
      /^Hostname 127\.0\.0\.1\n[\s\S]*\nPort 2222\n/,
    );
    assert.equal(findSshAlias(config, 'gpu'), undefined);
    assert.equal(findSshAlias(config, 'gpu1\n'), undefined);
    assert.equal(findSshAlias('', 'gpu1'), undefined);
  });

  it('takes the first of two, as ssh does', () => {
    const other = sshConfig(['gpu1'], { ...address, port: 3333 });
    assert.match(findSshAlias(config + other, 'gpu1')?.text ?? '', /Port 2222/);
    assert.match(findSshAlias(other + config, 'gpu1')?.text ?? '', /Port 3333/);
  });

  it('refuses every entry that was cut before it says where it leads', () => {
    const one = sshConfig(['gpu1'], address);
    const needed = one.indexOf('\n', one.indexOf('User '));
    for (let length = 0; length <= needed; length++) {
      assert.equal(findSshAlias(one.slice(0, length), 'gpu1'), undefined, `${length} characters`);
    }
    assert.ok(findSshAlias(one, 'gpu1'));
  });

  it('reads entries with a proxy instead of an address, names in quotes, several names, equals signs', () => {
    const proxied = `# by hand\nHost "a" b\n  ProxyCommand=/home/me/.brev/cloudflared access ssh --hostname h\n  user = me\n  IdentityFile x\nMatch host c\n  Port 1\n`;
    assert.ok(findSshAlias(proxied, 'a'));
    assert.deepEqual(findSshAlias(proxied, 'b'), findSshAlias(proxied, 'a'));
    assert.doesNotMatch(findSshAlias(proxied, 'b')?.text ?? '', /Port/);
    assert.equal(findSshAlias(proxied, 'c'), undefined);
  });

  it('knows the instance of an entry of the old kind', () => {
    const legacy = 'Host old\n  IdentityFile x\n  User brev\n  ProxyCommand brev proxy abc123def\n';
    assert.equal(findSshAlias(legacy, 'old')?.instanceId, 'abc123def');
    assert.equal(findSshAlias(config, 'gpu1')?.instanceId, undefined);
  });

  it('sees no change in comments, and any in what leads to the machine', () => {
    const text = (body: string) => findSshAlias(`Host a\n${body}  User u\n  IdentityFile x\n`, 'a')?.text;
    assert.equal(text('  # x\n  Hostname h\n'), text('\n  Hostname h\n'));
    assert.notEqual(text('  Hostname h\n  Port 1\n'), text('  Hostname h\n  Port 2\n'));
  });
});

describe('readSshAlias', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'brev-alias-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** Time that passes by being waited for; each wait may do something. */
  function stepping(onWait: (nth: number) => Promise<void>): Clock & { waits: number } {
    const clock = {
      waits: 0,
      now: () => 0,
      after: (_: number, callback: () => void) => {
        clock.waits++;
        void onWait(clock.waits).then(callback);
        return () => undefined;
      },
    };
    return clock;
  }

  it('reads again what it finds empty or cut', async () => {
    const file = path.join(folder, 'cut');
    await writeFile(file, '');
    const clock = stepping(async (nth) => {
      await writeFile(file, nth === 1 ? config.slice(0, 40) : config);
    });
    const found = await readSshAlias(file, 'gpu1', clock);
    assert.ok(found);
    assert.equal(clock.waits, 2);
  });

  it('says that a name is missing after some looks only', async () => {
    const file = path.join(folder, 'without');
    await writeFile(file, config);
    const clock = stepping(async () => undefined);
    assert.equal(await readSshAlias(file, 'gpu3', clock), undefined);
    assert.equal(clock.waits, 4);
    assert.ok(await readSshAlias(file, 'gpu2', clock));
    assert.equal(clock.waits, 4);
  });

  it('takes a config that does not exist for one without names, and an unreadable one for an error', async () => {
    const clock = stepping(async () => undefined);
    assert.equal(await readSshAlias(path.join(folder, 'nosuch'), 'gpu1', clock), undefined);
    await assert.rejects(readSshAlias(folder, 'gpu1', clock), /EISDIR/);
  });
});
