import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { eventually } from '../../support/eventually.ts';
import { processes } from '../../support/process-tree.ts';
import { type Sshd, type SshdOptions, startSshd } from '../../support/sshd.ts';

const run = promisify(execFile);

async function start(t: TestContext, options?: SshdOptions): Promise<Sshd> {
  const sshd = await startSshd(options);
  t.after(() => sshd.dispose());
  return sshd;
}

const ssh = ({ keyFile, port, user }: Sshd, ...command: string[]) => [
  ...[
    '-F',
    '/dev/null',
    '-T',
    '-i',
    keyFile,
    '-p',
    String(port),
    '-o',
    'LogLevel=ERROR',
    '-o',
    'BatchMode=yes',
  ],
  ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'IdentitiesOnly=yes'],
  ...[`${user}@127.0.0.1`, ...command],
];
const answer = async (sshd: Sshd, command: string) => (await run('ssh', ssh(sshd, command))).stdout;

/** Names and dates of what is in the real user's ~/.ssh. */
async function ownSshFolder(): Promise<string> {
  const folder = path.join(homedir(), '.ssh');
  if (!existsSync(folder)) return 'none';
  const names = (await readdir(folder)).sort();
  const dates = await Promise.all(names.map(async (name) => (await stat(path.join(folder, name))).mtimeMs));
  return JSON.stringify([names, dates]);
}

describe('a real sshd', { concurrency: 3 }, () => {
  it('gives the environment of a machine, and touches nothing of the user’s own', async (t) => {
    const before = await ownSshFolder();
    const sshd = await start(t, { hostName: 'brev-abcdefghi', environment: { COLOUR: 'light blue' } });
    await writeFile(path.join(sshd.home, 'file'), 'content');
    const text = 'cat "$HOME/file"; echo; hostname; echo "$COLOUR $BREV_SIM_MACHINE"';
    assert.equal(await answer(sshd, text), `content\nbrev-abcdefghi\nlight blue ${sshd.machine}\n`);
    assert.equal(await ownSshFolder(), before);
  });

  it('plays several machines at once, each with its key', async (t) => {
    const [one, two] = await Promise.all([start(t), start(t)]);
    assert.notEqual(await answer(one, 'echo "$HOME"'), await answer(two, 'echo "$HOME"'));
    await two.authorise(await readFile(`${one.keyFile}.pub`, 'utf8'));
    await assert.rejects(answer(two, 'true'), /Permission denied \(publickey\)/);
  });

  it('has the login shell that it is told', async (t) => {
    const sshd = await start(t, { loginShell: '/bin/dash' });
    assert.equal(await answer(sshd, 'echo "$0"'), '/bin/dash\n');
  });

  it('refuses, and accepts again on the same port', async (t) => {
    const sshd = await start(t);
    const { port } = sshd;
    await sshd.refuse();
    await assert.rejects(answer(sshd, 'true'), /Connection refused/);
    await sshd.accept();
    assert.equal(sshd.port, port);
    assert.equal(await answer(sshd, 'echo ok'), 'ok\n');
  });

  it('drops connections whose commands live on', async (t) => {
    const sshd = await start(t);
    const client = spawn('ssh', ssh(sshd, 'sleep 300'), { stdio: 'ignore' });
    const ended = new Promise((resolve) => client.once('exit', resolve));
    await eventually(() => sshd.commands().some(({ command }) => command === 'sleep 300'));
    const pid = sshd.commands().find(({ command }) => command === 'sleep 300')?.pid;
    sshd.drop();
    assert.equal(await ended, 255);
    assert.deepEqual(sshd.connections(), []);
    assert.ok(pid !== undefined && processes().some((one) => one.pid === pid));
    process.kill(pid, 'SIGKILL');
  });

  it('freezes and goes on', async (t) => {
    const sshd = await start(t);
    const client = spawn('ssh', ssh(sshd, 'while echo x; do sleep 0.01; done'), {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let lines = 0;
    client.stdout.on('data', () => lines++);
    await eventually(() => lines > 0);
    sshd.freeze();
    await eventually(() =>
      sshd.connections().every((pid) => processes().find((one) => one.pid === pid)?.state === 'T'),
    );
    sshd.thaw();
    const seen = lines;
    await eventually(() => lines > seen);
    client.kill();
  });

  it('leaves nothing behind', async () => {
    const sshd = await startSshd();
    const client = spawn('ssh', ssh(sshd, 'sleep 300'), { stdio: 'ignore' });
    await eventually(() => sshd.commands().some(({ command }) => command === 'sleep 300'));
    const pids = [...sshd.connections(), ...sshd.commands().map(({ pid }) => pid)];
    await sshd.dispose();
    await eventually(() =>
      processes().every(({ pid, command }) => !pids.includes(pid) && !command.includes(sshd.machine)),
    );
    assert.ok(!existsSync(sshd.machine));
    client.kill();
  });

  it('ends with the process that started it, however that ends', async (t) => {
    const code = `
      import path from 'node:path';
      import { startSshd } from ${JSON.stringify(path.join(import.meta.dirname, '../../support/sshd.ts'))};
      const { machine, port } = await startSshd();
      console.log(JSON.stringify([path.dirname(machine), String(port)]));
      process.kill(-process.pid, 'SIGKILL');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    await new Promise((resolve) => child.once('close', resolve));
    const [folder, port] = z.parse(z.tuple([z.string(), z.string()]), JSON.parse(said));
    t.after(() => rm(folder, { recursive: true, force: true }));
    await eventually(async () => {
      const refused = run('ssh', ['-F', '/dev/null', '-o', 'BatchMode=yes', '-p', port, '127.0.0.1', 'true']);
      return refused.then(
        () => false,
        (error: unknown) => /Connection refused/.test(String(error)),
      );
    });
  });
});
