import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Machine } from './machine.ts';

/** A container that prints between gates which the test opens. */
async function gated(machine: Machine, script: string, ...flags: string[]): Promise<void> {
  const common = ['run', '-q', '-d', '--name', 'job', '-v', `${machine.home}:/ctl`, ...flags];
  const outcome = await machine.docker(...common, 'ubuntu', 'bash', '-c', script);
  assert.equal(outcome.code, 0, outcome.stderr);
}

/** Prints again and again until the test has seen it and makes the file: then its reader is surely connected. */
function beats(text: string): string {
  return `while [ ! -e /ctl/begin ]; do printf '${text}'; sleep 0.02; done;`;
}

describe('output', () => {
  it('a carriage-return bar reaches an attached client at once, and the log only with its newline', async () => {
    using machine = new Machine().withImages();
    const end = machine.gate('end');
    await gated(machine, `${beats('.')} printf "\\rEpoch 0:  10%%"; read -r _ < /ctl/end; printf " done\\n"`);
    const attached = machine.start('docker', ['attach', '--no-stdin', '--sig-proxy=false', 'job']);
    const followed = machine.start('docker', ['logs', '-f', 'job']);
    await attached.until('.');
    machine.write('home/begin', '');
    await attached.until('\rEpoch 0:  10%');
    assert.equal((await machine.docker('logs', 'job')).stdout, '');
    await end.open();
    assert.match((await attached.done).stdout, /^\.+\rEpoch 0: {2}10% done\n$/);
    assert.match((await followed.done).stdout, /^\.+\rEpoch 0: {2}10% done\n$/);
  });

  it('a line longer than 16 KiB is stored in pieces that share a time', async () => {
    using machine = new Machine().withImages();
    await gated(machine, 'head -c 40000 /dev/zero | tr "\\0" x; echo; printf tail');
    await machine.docker('wait', 'job');
    const entries = machine
      .read(`docker/containers/${await machine.inspect('job', '{{.Id}}')}/log.json`)
      .trimEnd()
      .split('\n')
      .map((line): { log: string; time: string } => JSON.parse(line));
    assert.deepEqual(
      entries.map(({ log }) => log.length),
      [16384, 16384, 40000 - 2 * 16384 + 1, 4],
    );
    assert.equal(new Set(entries.slice(0, 3).map(({ time }) => time)).size, 1);
    assert.equal((await machine.docker('logs', 'job')).stdout, `${'x'.repeat(40000)}\ntail`);
  });

  it('timestamps stand before each entry; since is inclusive; tail counts entries; streams stay apart', async () => {
    using machine = new Machine().withImages();
    await gated(machine, 'for i in 1 2 3; do echo out$i; echo err$i >&2; done');
    await machine.docker('wait', 'job');
    const all = await machine.docker('logs', '--timestamps', 'job');
    const lines = all.stdout.trimEnd().split('\n');
    for (const [index, line] of lines.entries()) {
      assert.match(line, new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{9}Z out${index + 1}$`));
    }
    assert.match(all.stderr, /Z err1\n.*Z err2\n.*Z err3\n$/);
    const second = lines[1]?.split(' ')[0] ?? '';
    assert.match((await machine.docker('logs', '--since', second, 'job')).stdout, /^out2\nout3\n$/);
    assert.equal((await machine.docker('logs', '--until', second, 'job')).stdout, 'out1\nout2\n');
    const tail = await machine.docker('logs', '--tail', '2', 'job');
    assert.equal((tail.stdout + tail.stderr).split('\n').length - 1, 2);
    assert.equal((await machine.docker('logs', '-n', '0', 'job')).stdout, '');
  });

  it('follow shows what is stored, then what comes, and ends with the container', async () => {
    using machine = new Machine().withImages();
    const [one, two] = [machine.gate('one'), machine.gate('two')];
    await gated(machine, 'echo first; read -r _ < /ctl/one; echo second; read -r _ < /ctl/two; printf last');
    const followed = machine.start('docker', ['logs', '--follow', 'job']);
    await followed.until('first\n');
    await one.open();
    await followed.until('second\n');
    await two.open();
    const outcome = await followed.done;
    assert.deepEqual([outcome.code, outcome.stdout], [0, 'first\nsecond\nlast']);
  });

  it('a rotated log keeps its last files only, and a follower misses nothing', async () => {
    using machine = new Machine().withImages();
    const print = 'for i in $(seq 1 400); do echo "line $i ........................................"; done';
    await gated(
      machine,
      `${beats('wait\\n')} ${print}`,
      '--log-opt',
      'max-size=8k',
      '--log-opt',
      'max-file=2',
    );
    const followed = machine.start('docker', ['logs', '-f', 'job']);
    await followed.until('wait');
    machine.write('home/begin', '');
    const live = (await followed.done).stdout.split('\n');
    const stored = (await machine.docker('logs', 'job')).stdout.split('\n');
    assert.equal(stored.at(-2), live.at(-2));
    assert.match(stored.at(-2) ?? '', /^line 400 /);
    assert.ok(stored.length < 200, `${stored.length} lines are stored`);
    assert.doesNotMatch(stored[0] ?? '', /^line 1 /);
  });

  it('bytes that are no UTF-8 reach an attached client as they are', async () => {
    using machine = new Machine().withImages();
    const outcome = await machine.docker('run', '-q', '--name', 'job', 'ubuntu', 'printf', '\\xff\\xfea\\n');
    assert.deepEqual([...outcome.bytes], [0xff, 0xfe, 0x61, 0x0a]);
    assert.equal((await machine.docker('logs', 'job')).stdout, '\ufffd\ufffda\n');
  });

  it('stdin reaches a container that keeps it open, and no other', async () => {
    using machine = new Machine().withImages();
    const open = await machine.run('docker', ['run', '-q', '-i', 'ubuntu', 'cat'], { stdin: 'hello' });
    assert.equal(open.stdout, 'hello');
    const closed = await machine.run('docker', ['run', '-q', 'ubuntu', 'cat'], { stdin: 'hello' });
    assert.deepEqual([closed.code, closed.stdout], [0, '']);
  });

  it('a container without a log driver has no log', async () => {
    using machine = new Machine().withImages();
    await machine.docker('run', '-q', '--name', 'job', '--log-driver', 'none', 'ubuntu', 'echo', 'x');
    const logs = await machine.docker('logs', 'job');
    assert.deepEqual(
      [logs.code, logs.stderr],
      [1, 'Error response from daemon: configured logging driver does not support reading\n'],
    );
  });
});
