import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { BrevPlatform } from '../../../../src/platforms/brev/brevPlatform.ts';
import listScript from '../../../../src/platforms/brev/results.sh';
import { readListing } from '../../../../src/platforms/brev/resultsListing.ts';
import sendScript from '../../../../src/platforms/brev/resultsSend.sh';
import type { Platform } from '../../../../src/platforms/platform.ts';
import type { ResultPart } from '../../../../src/platforms/results.ts';
import { systemClock } from '../../../../src/process/clock.ts';
import { ExecShell } from '../../../../src/remote/execShell.ts';
import type { RemoteShell } from '../../../../src/remote/shell.ts';
import { ok } from '../../../../src/values/outcome.ts';
import { failureOf, value } from '../../../support/outcomes.ts';
import { createSshCloud, type SshCloud, type SshInstance } from '../../../support/ssh-cloud.ts';
import { leave } from './leftovers.ts';

const run = promisify(execFile);
const never = new AbortController().signal;
const options = { timeoutMs: 60_000, signal: never };
const JOB = 'segformer-train-0a1b2c';

let cloud: SshCloud;
let gpu: SshInstance;

before(async () => {
  cloud = await createSshCloud();
  gpu = await cloud.add({ name: 'gpu1' });
});
after(() => cloud.dispose());
beforeEach(() => rmSync(path.join(gpu.home, '.brev-jobs'), { recursive: true, force: true }));

const targetOf = (jobId = JOB) => ({ jobId, instanceId: gpu.id, instanceName: 'gpu1' });

function platformBy(route: 'exec' | 'ssh'): Platform {
  return new BrevPlatform({
    clock: systemClock,
    shell: async (target) =>
      route === 'ssh' ? cloud.shells.shell(target) : ok(new ExecShell(cloud.brev, target.instanceName)),
  });
}

/** An S3 server that takes all; what was running on this computer while it took the first byte is noted. */
async function startServer(): Promise<{
  readonly origin: string;
  readonly put: { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer }[];
  readonly commandLines: string[];
  answer: (url: string) => { readonly status: number; readonly body?: string };
  readonly server: Server;
}> {
  const put: { url: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const commandLines: string[] = [];
  const server = createServer((request, response) => {
    commandLines.push(...allCommandLines());
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = request.url ?? '';
      const body = Buffer.concat(chunks);
      put.push({ url, headers: request.headers, body });
      const { status, body: text = '' } = started.answer(url);
      response.writeHead(status, { ETag: `"${createHash('md5').update(body).digest('hex')}"` }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const started = {
    origin: `http://127.0.0.1:${address.port}`,
    put,
    commandLines,
    server,
    answer: (_url: string): { status: number; body?: string } => ({ status: 200 }),
  };
  return started;
}

function allCommandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        // it ended meanwhile
        return [];
      }
    });
}

for (const route of ['exec', 'ssh'] as const) {
  describe(`results by ${route}`, () => {
    const results = async () => value(await platformBy(route).results(targetOf(), never));

    it('are listed with sizes and times, whatever their names', async () => {
      const names = [
        'train/model_epoch_000.pth',
        'a b',
        'q\'"$(id)',
        'line\nend',
        'ü/学習',
        '-rf',
        '*',
        'x\\y',
        'empty',
      ];
      const folder = leave(
        gpu.home,
        JOB,
        Object.fromEntries(names.map((name) => [name, name === 'empty' ? '' : name])),
      );
      mkdirSync(path.join(folder, 'no files'));
      const { files, links, unusable, whole } = await results();
      assert.deepEqual(
        Object.fromEntries(files.map(({ path: name, bytes }) => [name, bytes])),
        Object.fromEntries(names.map((name) => [name, name === 'empty' ? 0 : Buffer.byteLength(name)])),
      );
      for (const file of files) {
        assert.ok(Math.abs(file.modified - statSync(path.join(folder, file.path)).mtimeMs) <= 1, file.path);
      }
      assert.deepEqual({ links, unusable, whole }, { links: [], unusable: [], whole: true });
    });

    it('are none while the job has not written any', async () => {
      mkdirSync(path.join(gpu.home, '.brev-jobs', JOB), { recursive: true });
      assert.deepEqual((await results()).files, []);
      leave(gpu.home, JOB, {});
      assert.deepEqual((await results()).files, []);
    });

    it('are gone with the folder of the job', async () => {
      const { kind, sentence } = failureOf(await platformBy(route).results(targetOf('nosuch'), never));
      assert.equal(kind, 'jobLost');
      assert.match(sentence, /nosuch is gone/);
    });

    it('tell the sums of files as they are', async () => {
      const many = Object.fromEntries(
        Array.from({ length: 700 }, (_, index) => [`${'long name '.repeat(12)}${index}`, String(index)]),
      );
      const folder = leave(gpu.home, JOB, many);
      const listed = await results();
      const [first] = listed.files;
      assert.ok(first);
      rmSync(path.join(folder, first.path));
      const sums = value(await listed.sums(listed.files, never));
      assert.deepEqual(
        sums,
        listed.files.map((file) =>
          file === first
            ? undefined
            : createHash('sha256')
                .update(many[file.path] ?? '')
                .digest('hex'),
        ),
      );
    });

    it('are sent by URLs that stand on no command line, each with its length and checksum', async () => {
      const server = await startServer();
      const large = randomBytes(3_000_000);
      leave(gpu.home, JOB, { 'a "b" \\c.pth': large, empty: '' });
      const part = (name: string, fileBytes: number, offset: number, bytes: number): ResultPart => ({
        path: name,
        fileBytes,
        offset,
        bytes,
        url: `${server.origin}/bkt/${encodeURIComponent(name)}?part=${offset}&X-Amz-Signature=canary0123456789`,
      });
      const parts = [
        part('a "b" \\c.pth', large.length, 0, 2_000_000),
        part('a "b" \\c.pth', large.length, 2_000_000, 1_000_000),
        part('empty', 0, 0, 0),
      ];
      const before = cloud.runs.length;
      const sent = value(await (await results()).send(parts, options));
      server.server.close();
      const bodies = [large.subarray(0, 2_000_000), large.subarray(2_000_000), Buffer.alloc(0)];
      assert.deepEqual(
        sent,
        bodies.map((body) => ({
          kind: 'sent',
          etag: `"${createHash('md5').update(body).digest('hex')}"`,
        })),
      );
      for (const [index, body] of bodies.entries()) {
        const one = server.put.find(({ url }) => parts[index]?.url.endsWith(url));
        assert.ok(one);
        assert.ok(one.body.equals(body), String(index));
        assert.equal(one.headers['content-length'], String(body.length));
        assert.equal(one.headers['content-md5'], createHash('md5').update(body).digest('base64'));
        assert.equal(one.headers['transfer-encoding'], undefined);
      }
      assert.ok(server.commandLines.some((line) => line.includes('curl')));
      assert.ok(!server.commandLines.some((line) => line.includes('canary')));
      assert.ok(
        !JSON.stringify(
          cloud.runs.slice(before).map((each) => [each.options.args, each.options.env]),
        ).includes('canary'),
      );
      assert.deepEqual(
        readdirSync(gpu.home).filter((name) => name.startsWith('.brev-input')),
        [],
      );
    });
  });
}

describe('results that are sent', () => {
  const send = async (names: readonly string[], origin: string, more: Partial<ResultPart> = {}) => {
    const listed = value(await platformBy('ssh').results(targetOf(), never));
    const parts = names.map((name) => ({
      path: name,
      fileBytes: 3,
      offset: 0,
      bytes: 3,
      url: `${origin}/${encodeURIComponent(name)}?X-Amz-Signature=canary0123456789`,
      ...more,
    }));
    return listed.send(parts, options);
  };

  it('say of each which the server refused, and why', async () => {
    const server = await startServer();
    server.answer = (url) =>
      url.startsWith('/b')
        ? { status: 403, body: '<Error><Code>AccessDenied</Code><Message>canary</Message></Error>' }
        : { status: 200 };
    leave(gpu.home, JOB, { a: 'aaa', b: 'bbb', c: 'ccc' });
    const sent = value(await send(['a', 'b', 'c'], server.origin));
    server.server.close();
    assert.deepEqual(
      sent.map((each) => (each.kind === 'sent' ? 'sent' : each.reason)),
      ['sent', 'HTTP 403 AccessDenied', 'sent'],
    );
    assert.equal(server.put.length, 3);
  });

  it('are tried again when the server has trouble', async () => {
    const server = await startServer();
    server.answer = () => ({ status: server.put.length === 1 ? 503 : 200 });
    leave(gpu.home, JOB, { a: 'aaa' });
    assert.equal(value(await send(['a'], server.origin))[0]?.kind, 'sent');
    server.server.close();
    assert.equal(server.put.length, 2);
  });

  it('are not sent when they are not what was listed', async () => {
    const server = await startServer();
    const folder = leave(gpu.home, JOB, { a: 'aaa', longer: 'aaaa' });
    symlinkSync('a', path.join(folder, 'link'));
    const sent = value(await send(['longer', 'gone', 'link'], server.origin));
    server.server.close();
    assert.deepEqual(sent, Array(3).fill({ kind: 'refused', reason: 'it has changed' }));
    assert.equal(server.put.length, 0);
  });

  it('need curl on the instance', async () => {
    const script = run('/bin/bash', ['-c', sendScript, 'brev-instances', JOB], {
      env: { PATH: '/nonexistent' },
    });
    await assert.rejects(script, { code: 4 });
    leave(gpu.home, JOB, { a: 'aaa' });
    const shell = value(await cloud.shells.shell(targetOf()));
    const without: RemoteShell = {
      route: 'ssh',
      run: async (script, how) =>
        how.input === undefined
          ? shell.run(script, how)
          : ok({ exitCode: 4, stdout: 'curl is not installed\n' }),
      upload: (...args) => shell.upload(...args),
      download: (...args) => shell.download(...args),
      stream: (...args) => shell.stream(...args),
    };
    const platform = new BrevPlatform({ clock: systemClock, shell: async () => ok(without) });
    const listed = value(await platform.results(targetOf(), never));
    const part = { path: 'a', fileBytes: 3, offset: 0, bytes: 3, url: 'http://127.0.0.1/' };
    assert.match(failureOf(await listed.send([part], options)).sentence, /no curl on the instance.*Download/);
  });
});

describe('a listing', () => {
  const list = async (limit = 100) => {
    const env = { PATH: process.env.PATH, HOME: gpu.home };
    const { stdout } = await run('bash', ['-c', listScript, 'brev-instances', JOB, String(limit)], { env });
    return readListing(stdout, JOB, limit);
  };

  it('follows no link, and tells where each leads', async () => {
    const folder = leave(gpu.home, JOB, { 'train/model_epoch_001.pth': 'x' });
    const outside = path.join(gpu.home, '.brev-jobs', JOB);
    const targets: Readonly<Record<string, readonly [string, string | undefined]>> = {
      'train/relative': ['model_epoch_001.pth', 'train/model_epoch_001.pth'],
      'train/up': ['../train/./model_epoch_001.pth', 'train/model_epoch_001.pth'],
      'train/of-the-container': ['/results/train/model_epoch_001.pth', 'train/model_epoch_001.pth'],
      'train/of-the-machine': [path.join(folder, 'train/model_epoch_001.pth'), 'train/model_epoch_001.pth'],
      'train/dangling': ['gone.pth', 'train/gone.pth'],
      folder: ['train', 'train'],
      'train/out': ['../../spec.yaml', undefined],
      'train/out-by-the-container': ['/results/../secret', undefined],
      'train/etc': ['/etc', undefined],
      loop: ['loop', 'loop'],
      itself: [outside, undefined],
    };
    for (const [name, [target]] of Object.entries(targets)) {
      symlinkSync(target, path.join(folder, name));
    }
    const listed = await list();
    assert.deepEqual(
      listed?.files.map((file) => file.path),
      ['train/model_epoch_001.pth'],
    );
    assert.deepEqual(
      Object.fromEntries(listed.links.map((link) => [link.path, link.target])),
      Object.fromEntries(Object.entries(targets).map(([name, [, target]]) => [name, target])),
    );
    assert.deepEqual(listed.unusable, []);
  });

  it('names what can be no result', async () => {
    const folder = leave(gpu.home, JOB, { fine: 'x' });
    await run('mkfifo', [path.join(folder, 'pipe')]);
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/latin`), Buffer.from([0xe9])]), 'x');
    const listed = await list();
    assert.deepEqual(
      listed?.files.map((file) => file.path),
      ['fine'],
    );
    assert.deepEqual(
      [...listed.unusable].sort((a, b) => a.reason.localeCompare(b.reason)),
      [
        { path: 'latin\ufffd', reason: 'name' },
        { path: 'pipe', reason: 'special' },
      ],
    );
  });

  it('does not look behind results that are a link themselves', async () => {
    const folder = leave(gpu.home, JOB, {});
    rmSync(folder, { recursive: true });
    symlinkSync('/etc', folder);
    assert.deepEqual(await list(), {
      files: [],
      links: [],
      unusable: [{ path: '.', reason: 'special' }],
      whole: true,
    });
  });

  it('says when there is more than was asked for', async () => {
    leave(gpu.home, JOB, { a: '', b: '', c: '' });
    const [exact, short] = [await list(3), await list(2)];
    assert.deepEqual([exact?.files.length, exact?.whole], [3, true]);
    assert.deepEqual([short?.files.length, short?.whole], [2, false]);
  });

  it('is none when a part of it is missing', () => {
    const whole = Buffer.from('f 1 1.0\0a\0\0end\0\0\0').toString('base64');
    assert.equal(readListing(whole, JOB, 10)?.whole, true);
    for (const cut of ['', 'Zg==', Buffer.from('f 1 1.0\0a\0\0').toString('base64')]) {
      assert.equal(readListing(cut, JOB, 10), undefined, cut);
    }
    assert.equal(readListing(Buffer.from('x\0a\0\0end\0\0\0').toString('base64'), JOB, 10), undefined);
  });

  it('makes readable what the container kept to itself, where sudo allows it', async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'brev-hidden-'));
    const folder = leave(home, JOB, { 'open/a': 'x', 'closed/b': 'x', c: 'x' });
    // root reads everything, so as somebody else
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    await run('chown', ['-R', String(user.uid ?? process.getuid?.()), home]);
    chmodSync(path.join(folder, 'closed'), 0);
    chmodSync(path.join(folder, 'c'), 0);
    const listWith = async (sudo: string) => {
      writeFileSync(path.join(home, 'sudo'), `#!/bin/bash\n${sudo}\n`, { mode: 0o755 });
      const env = { PATH: `${home}:${process.env.PATH}`, HOME: home };
      const bash = ['-c', listScript, 'brev-instances', JOB, '100'];
      const listed = readListing((await run('bash', bash, { env, ...user })).stdout, JOB, 100);
      return [
        listed?.files.map((file) => file.path).sort(),
        listed?.unusable.map((each) => each.path).sort(),
      ];
    };
    try {
      assert.deepEqual(await listWith('exit 1'), [['open/a'], ['c', 'closed']]);
      assert.deepEqual(await listWith('shift; exec "$@"'), [['c', 'closed/b', 'open/a'], []]);
    } finally {
      await rm(home, { recursive: true });
    }
  });
});
