import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyBrev, simOnly } from './support/brev.ts';
import { lastLine } from './support/text.ts';

anyBrev(
  'success on a pipe: the output, then the name and a newline with nothing between',
  async ({ run, running }) => {
    await run(['exec', running, 'true']); // after this the alias and the connection are warm
    const { code, stdout, stderr } = await run(['exec', running, 'printf x']);
    assert.deepEqual([code, stdout, stderr], [0, `x${running}\n`, '']);
  },
  'running',
);

anyBrev(
  'stdout that is a character device gets no name',
  async ({ run, running }) => {
    const { code, stderr } = await run(['exec', running, 'echo to-stderr >&2'], {
      stdout: { file: '/dev/null' },
    });
    assert.equal(code, 0);
    assert.equal(lastLine(stderr), 'to-stderr');
  },
  'running',
);

anyBrev(
  'stdout that is a regular file counts as piped',
  async ({ run, running }) => {
    const file = join(tmpdir(), `brev-contract-${process.pid}.txt`);
    await run(['exec', running, 'echo hello'], { stdout: { file } });
    assert.equal(await readFile(file, 'utf8'), `hello\n${running}\n`);
  },
  'running',
);

anyBrev(
  'stdout and stderr stay apart, and bytes pass unchanged',
  async ({ run, running }) => {
    const { code, stdout, stderr } = await run(['exec', running, 'echo out; echo err >&2']);
    assert.deepEqual([code, stdout], [0, `out\n${running}\n`]);
    assert.equal(lastLine(stderr), 'err');
    const tricky = await run(['exec', running, `printf '%s|' "a'b" '$HOME' '\`x\`' 'two\nlines'`]);
    assert.equal(tricky.stdout, `a'b|$HOME|\`x\`|two\nlines|${running}\n`);
  },
  'running',
);

anyBrev(
  'the remote has no stdin and no terminal',
  async ({ run, running }) => {
    const { code, stdout } = await run([
      'exec',
      running,
      'cat; [ -t 0 ] || echo no-tty; [ -t 1 ] || echo no-tty',
    ]);
    assert.deepEqual([code, stdout], [0, `no-tty\nno-tty\n${running}\n`]);
  },
  'running',
);

anyBrev(
  'a remote failure runs the command twice, shows both outputs, and exits 1 whatever the code',
  async ({ run, running }) => {
    const { code, stdout, stderr } = await run(['exec', running, 'echo once; exit 7']);
    assert.deepEqual([code, stdout], [1, 'once\nonce\n']);
    assert.match(stderr, /^Connection failed, checking instance status\.\.\.$/m);
    assert.match(stderr, /exit status 7\n$/);
  },
  'running',
);

anyBrev(
  'command not found, 255 and a signal: exit 1, the code only in the last line',
  async ({ run, running }) => {
    for (const [command, code] of [
      ['no-such-command-at-all', 127],
      ['exit 255', 255],
      ['kill -9 $$', 255],
    ] as const) {
      const end = await run(['exec', running, command]);
      assert.equal(end.code, 1, command);
      assert.equal(end.stdout, '', command);
      assert.match(end.stderr, new RegExp(`exit status ${code}\\n$`), command);
    }
  },
  'running',
);

anyBrev(
  'a command whose second run succeeds counts as a success',
  async ({ run, running }) => {
    const mark = `/tmp/brev-contract-${process.pid}-${Date.now()}`;
    const { code, stdout } = await run([
      'exec',
      running,
      `if [ -e ${mark} ]; then rm ${mark}; echo second; else touch ${mark}; echo first; exit 3; fi`,
    ]);
    assert.deepEqual([code, stdout], [0, `first\nsecond\n${running}\n`]);
  },
  'running',
);

anyBrev('what may stand on the command line', async ({ run }) => {
  const dash = await run(['exec', 'x', 'ls', '-la']);
  assert.deepEqual([dash.code, dash.stdout], [1, '']);
  assert.match(dash.stderr, /unknown shorthand flag: 'l' in -la\n$/);
  const empty = await run(['exec', 'x', '']);
  assert.deepEqual([empty.code, empty.stdout], [1, '']);
  assert.match(empty.stderr, /command is required\n$/);
  const lonely = await run(['exec', 'x']);
  assert.deepEqual([lonely.code, lonely.stdout], [1, '']);
  assert.match(lonely.stderr, /instance name required: provide as argument or pipe from another command\n$/);
  const bare = await run(['exec']);
  assert.deepEqual([bare.code, bare.stdout], [1, '']);
  assert.match(bare.stderr, /requires at least 1 arg\(s\), only received 0\n$/);
});

anyBrev(
  '-- is allowed before a single command word',
  async ({ run, running }) => {
    const { code, stdout } = await run(['exec', running, '--', 'echo hi']);
    assert.deepEqual([code, stdout], [0, `hi\n${running}\n`]);
  },
  'running',
);

anyBrev(
  'a command that starts with @ is the text of a local file, run with -c',
  async ({ run, running }) => {
    const file = join(tmpdir(), `brev-contract-${process.pid}.sh`);
    await writeFile(file, `#!/usr/bin/env python3\necho "from $0" | sed s,/bin/,,\nprintf '%s\\n' "it's"\n`);
    const { code, stdout } = await run(['exec', running, `@${file}`]);
    assert.equal(code, 0);
    assert.match(stdout, /^from [-/a-z]*sh\nit's\n/);
    const missing = await run(['exec', running, '@/no/such/file.sh']);
    assert.deepEqual([missing.code, missing.stdout], [1, '']);
    assert.match(missing.stderr, /open \/no\/such\/file\.sh: no such file or directory\n$/);
  },
  'running',
);

anyBrev('an unknown instance', async ({ run }) => {
  const { code, stdout, stderr } = await run(['exec', 'no-such-instance-at-all', 'true']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^ssh: Could not resolve hostname no-such-instance-at-all: /m);
  assert.match(stderr, /^Connection failed, checking instance status\.\.\.$/m);
  assert.match(
    stderr,
    /ssh connection failed and could not look up instance "no-such-instance-at-all": [^\n]*exit status 255\nPlease check your instances with: brev ls\n$/,
  );
});

anyBrev('NAME goes unquoted into a local shell', async ({ run }) => {
  const { code, stdout } = await run(['exec', 'no-such-host; echo injected; true', 'true']);
  assert.deepEqual([code, stdout], [0, 'injected\nno-such-host; echo injected; true\n']);
});

anyBrev(
  'names on stdin are added to those given',
  async ({ run, running }) => {
    const { code, stdout } = await run(['exec', 'echo hi'], { stdin: { text: `${running}\n\n` } });
    assert.deepEqual([code, stdout], [0, `hi\n${running}\n`]);
    const both = await run(['exec', running, 'echo hi'], { stdin: { text: ` ${running} \n` } });
    assert.equal(both.stdout, `hi\n${running}\nhi\n${running}\n`);
  },
  'running',
);

anyBrev(
  'several names: a heading for each on stderr, one failure fails all, names only of the good ones',
  async ({ run, running }) => {
    const { code, stdout, stderr } = await run(['exec', running, 'no-such-instance-at-all', 'echo hi']);
    assert.deepEqual([code, stdout], [1, `hi\n${running}\n`]);
    assert.match(stderr, new RegExp(`\\n=== ${running} ===\\n`));
    assert.match(stderr, /\n=== no-such-instance-at-all ===\n/);
    assert.match(stderr, /^Error on no-such-instance-at-all: /m);
    assert.match(stderr, /^1 error occurred:\n\t\* /m);
  },
  'running',
);

anyBrev(
  'words after the first name are names, even after --: only the last is the command (not in the TAO dialect)',
  async ({ run, running }) => {
    if ((await run(['create', '--help'])).stdout.includes('--cloud-cred-id')) return;
    const { code, stderr } = await run(['exec', running, '--', 'no-such-word-1', 'no-such-word-2', 'true']);
    assert.equal(code, 1);
    assert.match(stderr, /=== no-such-word-1 ===/);
    assert.match(stderr, /=== no-such-word-2 ===/);
  },
  'running',
);

simOnly('where it runs: the home of the machine, its tools first', {}, async ({ sim, run }) => {
  const { home, machine } = await sim.addInstance({ name: 'gpu1' });
  await run(['refresh']);
  const { stdout } = await run([
    'exec',
    'gpu1',
    'pwd; echo $HOME; echo $BREV_SIM_MACHINE; command -v docker nvidia-smi',
  ]);
  assert.deepEqual(stdout.split('\n'), [
    home,
    home,
    machine,
    join(machine, 'bin', 'docker'),
    join(machine, 'bin', 'nvidia-smi'),
    'gpu1',
    '',
  ]);
});

simOnly('machines without GPU or without docker lack the tools', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'cpu1', type: 'n2d-standard-4' });
  await sim.addInstance({ name: 'bare', docker: false });
  await run(['refresh']);
  const which = 'for c in docker nvidia-smi; do command -v $c >/dev/null && printf "$c "; done; true';
  assert.equal((await run(['exec', 'cpu1', which])).stdout, 'docker cpu1\n');
  assert.equal((await run(['exec', 'bare', which])).stdout, 'nvidia-smi bare\n');
});

simOnly('without SSH_AUTH_SOCK each exec leaves an agent behind, with it none', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'gpu1' });
  await run(['refresh']);
  await run(['exec', 'gpu1', 'true']);
  assert.equal((await sim.leakedAgents()).length, 0);
  const quiet = await run(['exec', 'gpu1', 'echo hi'], { env: { SSH_AUTH_SOCK: '' } });
  assert.equal(quiet.stdout, 'hi\ngpu1\n');
  await run(['exec', 'gpu1', 'true'], { env: { SSH_AUTH_SOCK: '' } });
  assert.equal((await sim.leakedAgents()).length, 2);
});

simOnly(
  'ls is asked nothing on a success: signed out, exec works while the alias is there',
  {},
  async ({ sim, run }) => {
    await sim.addInstance({ name: 'gpu1' });
    await run(['refresh']);
    await run(['logout']);
    const quiet = await run(['exec', 'gpu1', 'echo hi']);
    assert.deepEqual([quiet.code, quiet.stdout, quiet.stderr], [0, 'hi\ngpu1\n', '']);
    const tracked = await run(['exec', 'gpu1', 'echo hi'], { env: { DO_NOT_TRACK: '0' } });
    assert.equal(tracked.code, 0);
    assert.equal(tracked.stdout, 'hi\ngpu1\nYou are currently logged out, would you like to log in? [Y/n]: ');
  },
);

simOnly('a command beyond the limit of one argument', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'gpu1' });
  await run(['refresh']);
  const file = join(sim.root, 'long.sh');
  await writeFile(file, `true '${'x'.repeat(200_000)}'\n`);
  const { code, stderr } = await run(['exec', 'gpu1', `@${file}`]);
  assert.equal(code, 1);
  assert.match(stderr, /fork\/exec \/usr\/bin\/bash: argument list too long\n$/);
});
