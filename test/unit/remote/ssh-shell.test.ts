import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { failureOf, value } from '../../support/outcomes.ts';
import { type SshMachine, startSshMachine } from '../../support/ssh-machine.ts';

const run = promisify(execFile);
const never = new AbortController().signal;
const options = { timeoutMs: 60_000, signal: never };
const MEGABYTE = 1_000_000;

/** Words that some shell or other would take for something else. */
const TORTURE = [
  '',
  ' ',
  "it's",
  '"double"',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: for a shell
  '$HOME ${HOME} $(id) `id`',
  '!!',
  '\\',
  'back\\slash\\n',
  'new\nline\n',
  '\ttab',
  '-n',
  '--',
  '~',
  '*',
  '{a,b}',
  '%s %n',
  '; rm -rf /; #',
  '&& || | < > ( )',
  '学習-1 é 🚀 \u202eRTL',
  '\u0001\u001b[31m\u007f',
  'x'.repeat(20_000),
];

const plain = (text: string, ...args: string[]) => ({ text, args });

for (const loginShell of ['bash', '/bin/dash'] as const) {
  describe(`SshShell on a machine whose login shell is ${loginShell}`, () => {
    let machine: SshMachine;
    before(async () => {
      machine = await startSshMachine(loginShell === 'bash' ? {} : { loginShell });
    });
    after(() => machine.dispose());

    it('tells the exit code and stdout of a script, exactly', async () => {
      for (const code of [0, 1, 7, 126, 127, 255]) {
        const answer = value(await machine.shell.run(plain(`printf 'a\\n\\nb'; exit ${code}`), options));
        assert.deepEqual(answer, { exitCode: code, stdout: 'a\n\nb' });
      }
      const silent = value(await machine.shell.run(plain(''), options));
      assert.deepEqual(silent, { exitCode: 0, stdout: '' });
    });

    it('tells what ended a script that did not end by itself', async () => {
      const run = async (text: string) => value(await machine.shell.run(plain(text), options)).exitCode;
      assert.equal(await run('kill -9 $BASHPID'), 137);
      assert.equal(await run('nosuchcommand 2>/dev/null'), 127);
      assert.equal(await run('set -e; false; echo no'), 1);
      assert.notEqual(await run('if'), 0);
    });

    it('hands over arguments as they are, however odd', async () => {
      const text = 'for word; do printf %s "$word" | base64 -w 0; echo; done; echo "$#"';
      const { stdout } = value(await machine.shell.run(plain(text, ...TORTURE), options));
      const lines = stdout.split('\n');
      assert.equal(lines.at(-2), String(TORTURE.length));
      const words = lines.slice(0, -2).map((line) => Buffer.from(line, 'base64').toString());
      assert.deepEqual(words, TORTURE);
    });

    it('hands over the text of a script as it is', async () => {
      for (const word of TORTURE) {
        const text = `cat <<'brev end'\n${word}\nbrev end\n`;
        assert.equal(value(await machine.shell.run(plain(text), options)).stdout, `${word}\n`);
      }
    });

    it('gives a script its input, all of it and nothing else', async () => {
      const input = randomBytes(300_000);
      const sum = value(await machine.shell.run(plain('sha256sum'), { ...options, input }));
      assert.equal(sum.stdout.split(' ')[0], createHash('sha256').update(input).digest('hex'));
      // bytes are counted where the script ends, and not characters
      const odd = await machine.shell.run(plain("echo '学習 é 🚀'; cat"), {
        ...options,
        input: Buffer.from('input'),
      });
      assert.equal(value(odd).stdout, '学習 é 🚀\ninput');
      const empty = await machine.shell.run(plain('wc -c'), { ...options, input: new Uint8Array() });
      assert.equal(value(empty).stdout.trim(), '0');
    });

    it('gives an empty stdin to a script without input', async () => {
      assert.deepEqual(value(await machine.shell.run(plain('cat; echo "done"'), options)).stdout, 'done\n');
    });

    it('answers without what a login script says, before and after', async () => {
      await writeFile(path.join(machine.sshd.home, '.bashrc'), 'echo welcome\ntrap "echo bye" EXIT\n');
      const answer = value(await machine.shell.run(plain('echo hi'), options));
      await writeFile(path.join(machine.sshd.home, '.bashrc'), '');
      assert.equal(answer.stdout, 'hi\n');
    });

    it('streams bytes as they are', async () => {
      const bytes = randomBytes(3 * MEGABYTE);
      await writeFile(path.join(machine.sshd.home, 'bytes'), bytes);
      const chunks: Uint8Array[] = [];
      const outcome = await machine.shell.stream(
        plain('cat "$HOME/$1"', 'bytes'),
        (chunk) => chunks.push(chunk),
        never,
      );
      assert.equal(outcome.kind, 'ok');
      assert.ok(Buffer.concat(chunks).equals(bytes));
    });

    it('shows neither script nor arguments to whoever lists processes', async () => {
      const text = 'tr "\\0" " " </proc/$PPID/cmdline; tr "\\0" " " </proc/$$/cmdline';
      const { stdout } = value(await machine.shell.run(plain(text, 'some-argument'), options));
      assert.match(stdout, /bash/);
      assert.doesNotMatch(stdout, /some-argument|cmdline/);
      assert.doesNotMatch(machine.calls.flat().join(' '), /some-argument|cmdline/);
    });
  });
}

describe('SshShell', () => {
  let machine: SshMachine;
  before(async () => {
    machine = await startSshMachine();
  });
  after(() => machine.dispose());

  it('uploads files that only their owner may read, over what was there', async () => {
    const files = [
      { path: 'deep/er/a b\'s "c".bin', content: randomBytes(2 * MEGABYTE) },
      { path: 'empty', content: new Uint8Array() },
      { path: 'text', content: Buffer.from('new\n') },
    ];
    await writeFile(path.join(machine.sshd.home, 'text'), 'something old and longer\n', { mode: 0o644 });
    assert.equal((await machine.shell.upload(files, options)).kind, 'ok');
    for (const { path: name, content } of files) {
      const file = path.join(machine.sshd.home, name);
      assert.ok((await readFile(file)).equals(content), name);
      assert.equal((await stat(file)).mode & 0o777, 0o600);
    }
  });

  it('says which files could not be uploaded', async () => {
    await writeFile(path.join(machine.sshd.home, 'a-file'), '');
    const content = Buffer.from('x');
    const outcome = await machine.shell.upload([{ path: 'a-file/below', content }], options);
    assert.match(failureOf(outcome).sentence, /below could not be uploaded/);
  });

  it('says that an answer was too long, and not that the connection broke', async () => {
    const outcome = await machine.shell.run(plain('head -c 20000000 /dev/zero'), options);
    assert.match(failureOf(outcome).sentence, /more than can be kept/);
  });

  it('takes 100 MB in and gives 100 MB out, byte for byte', async () => {
    const content = Buffer.alloc(100 * MEGABYTE);
    for (let at = 0; at < content.length; at += MEGABYTE) randomBytes(MEGABYTE).copy(content, at);
    const sha256 = createHash('sha256').update(content).digest('hex');
    assert.equal((await machine.shell.upload([{ path: 'big', content }], options)).kind, 'ok');
    const hash = createHash('sha256');
    let most = 0;
    const before = memory();
    const outcome = await machine.shell.stream(
      plain('cat "$HOME/big"'),
      (chunk) => {
        hash.update(chunk);
        most = Math.max(most, memory());
      },
      never,
    );
    assert.equal(outcome.kind, 'ok');
    assert.equal(hash.digest('hex'), sha256);
    // what is kept would be all of it
    assert.ok(most - before < 50 * MEGABYTE, `${most - before} bytes more`);
  });
});

describe('SshShell, whatever the config says', () => {
  let machine: SshMachine;
  let agent: ChildProcess;
  before(async () => {
    machine = await startSshMachine({ localEnvironment: { SSH_AUTH_SOCK: '/tmp/nosuch' } });
    const socket = path.join(machine.socketBase, 'agent');
    agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(agent.stdout ?? agent, 'data');
    const config = await readFile(machine.configFile, 'utf8');
    await writeFile(
      machine.configFile,
      config.replaceAll(/^ {2}Port/gm, `  IdentityAgent ${socket}\n  Port`),
    );
  });
  after(async () => {
    agent.kill();
    await machine.dispose();
  });

  it('asks for no terminal, forwards no agent and gives it no key', async () => {
    const text = 'test -t 0 || test -t 1 || echo "no terminal"; echo "agent: $SSH_AUTH_SOCK"';
    const { stdout } = value(await machine.shell.run(plain(text), options));
    assert.equal(stdout, 'no terminal\nagent: \n');
    const environment = { ...process.env, SSH_AUTH_SOCK: path.join(machine.socketBase, 'agent') };
    await assert.rejects(run('ssh-add', ['-l'], { env: environment }), { code: 1 });
    // the same config by itself does all that
    const args = ['-F', machine.configFile, '-S', 'none', '-o', 'LogLevel=ERROR', 'gpu1'];
    const itself = await run('ssh', ['-tt', ...args, text], { env: environment });
    assert.match(itself.stdout, /^agent: \S+/m);
    assert.doesNotMatch(itself.stdout, /no terminal/);
    await run('ssh-add', ['-l'], { env: environment });
  });

  it('runs no command of the config', async () => {
    const config = await readFile(machine.configFile, 'utf8');
    await writeFile(machine.configFile, config.replaceAll(/^ {2}Port/gm, '  RemoteCommand echo no\n  Port'));
    const answer = await machine.withSettings(machine.settings).run(plain('echo yes'), options);
    assert.equal(value(answer).stdout, 'yes\n');
  });
});

/** What this process keeps, without what is waiting to be thrown away. */
function memory(): number {
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}
