import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { download } from '../../../src/remote/download.ts';
import { downloadFile } from '../../../src/remote/downloadFile.ts';
import { type FileFrame, FileFrameReader } from '../../../src/remote/downloadFrames.ts';
import type { RemoteShell } from '../../../src/remote/shell.ts';
import { ok } from '../../../src/values/outcome.ts';
import { failureOf, value } from '../../support/outcomes.ts';
import { type SshMachine, startSshMachine } from '../../support/ssh-machine.ts';

const never = new AbortController().signal;
const options = { timeoutMs: 60_000, signal: never };
/** Some frames, the last one short. */
const CONTENT = randomBytes(41_000_001);

describe('a download by ssh', () => {
  let machine: SshMachine;
  before(async () => {
    machine = await startSshMachine();
  });
  after(() => machine.dispose());

  const put = async (name: string, content: Uint8Array) => {
    await writeFile(path.join(machine.sshd.home, name), content);
    return name;
  };
  /** Downloads; does something when the first bytes come. */
  const get = async (name: string, onFirst: () => void = () => undefined) => {
    const chunks: Uint8Array[] = [];
    const outcome = await machine.shell.download(
      name,
      (chunk) => {
        chunks.push(chunk);
        if (chunks.length === 1) onFirst();
      },
      options,
    );
    return { outcome, bytes: Buffer.concat(chunks) };
  };

  it('is the file: by a path below the home directory, or an absolute one', async () => {
    const name = await put("it's a file", CONTENT);
    for (const where of [name, path.join(machine.sshd.home, name)]) {
      const { outcome, bytes } = await get(where);
      assert.equal(value(outcome), CONTENT.length);
      assert.ok(bytes.equals(CONTENT));
    }
    assert.equal(value((await get(await put('empty', new Uint8Array()))).outcome), 0);
  });

  it('goes on after a lost connection from where it was', async () => {
    const name = await put('dropped', CONTENT);
    const before = machine.calls.length;
    const { outcome, bytes } = await get(name, () => machine.sshd.drop());
    assert.equal(value(outcome), CONTENT.length);
    assert.ok(bytes.equals(CONTENT));
    assert.ok(machine.calls.length - before >= 3, 'a second connection and a second stream');
  });

  it('is the file as it was at the beginning, when lines are appended meanwhile', async () => {
    const name = await put('growing', CONTENT);
    const { outcome, bytes } = await get(name, () =>
      appendFileSync(path.join(machine.sshd.home, name), 'more'),
    );
    assert.equal(value(outcome), CONTENT.length);
    assert.ok(bytes.equals(CONTENT));
  });

  it('fails when the file is rewritten meanwhile, with as many bytes or fewer', async () => {
    const file = path.join(machine.sshd.home, await put('rewritten', CONTENT));
    const rewritten = await get('rewritten', () => writeFileSync(file, randomBytes(CONTENT.length)));
    assert.match(failureOf(rewritten.outcome).sentence, /was rewritten/);
    const cut = await get('rewritten', () => truncateSync(file, 5_000_000));
    assert.match(failureOf(cut.outcome).sentence, /cut short/);
  });

  it('says why a file cannot be read', async () => {
    const reason = async (name: string) => failureOf((await get(name)).outcome).sentence;
    assert.match(await reason('nosuch'), /nosuch cannot be read on the instance: No such file or directory/);
    assert.match(await reason('.'), /Is a directory/);
    await put('secret', Buffer.from('x'));
    await chmod(path.join(machine.sshd.home, 'secret'), 0);
    // root may read anything
    if (process.getuid?.() !== 0) assert.match(await reason('secret'), /Permission denied/);
  });

  it('ends with its signal, and with its time', async () => {
    await put('long', CONTENT);
    const abort = new AbortController();
    const cancelled = await machine.shell.download('long', () => abort.abort(), {
      timeoutMs: 60_000,
      signal: abort.signal,
    });
    assert.equal(cancelled.kind, 'cancelled');
    machine.sshd.freeze();
    const late = await machine.shell.download('long', () => undefined, { timeoutMs: 100, signal: never });
    machine.sshd.thaw();
    assert.equal(failureOf(late).kind, 'timedOut');
  });

  it('gives up when no connection brings anything new', async () => {
    await put('unreachable', CONTENT);
    await machine.sshd.refuse();
    const { outcome } = await get('unreachable', () => machine.sshd.drop());
    await machine.sshd.accept();
    assert.match(failureOf(outcome).sentence, /broke before unreachable was downloaded/);
  });

  describe('into a file', () => {
    let folder = '';
    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'brev-download-'));
    });
    after(() => rm(folder, { recursive: true }));

    it('gives the name to the whole file only', async () => {
      await put('model', CONTENT);
      const target = path.join(folder, 'model');
      assert.equal(value(await downloadFile(machine.shell, 'model', target, options)), CONTENT.length);
      assert.ok((await readFile(target)).equals(CONTENT));
      failureOf(await downloadFile(machine.shell, 'nosuch', path.join(folder, 'nosuch'), options));
      assert.deepEqual(await readdir(folder), ['model']);
    });

    it('keeps what was there when the new one does not come', async () => {
      const target = path.join(folder, 'kept');
      await writeFile(target, 'old');
      failureOf(await downloadFile(machine.shell, 'nosuch', target, options));
      assert.equal(await readFile(target, 'utf8'), 'old');
    });

    it('tells a local fault', async () => {
      await put('small', Buffer.from('x'));
      const outcome = await downloadFile(
        machine.shell,
        'small',
        path.join(folder, 'no/such/folder'),
        options,
      );
      assert.equal(failureOf(outcome).kind, 'localFile');
    });
  });
});

describe('a download over a stream that begins again by itself', () => {
  const content = randomBytes(900);
  const frame = (token: string, from: number, to: number) =>
    Buffer.concat([
      Buffer.from(`@brev-file bytes ${token} ${from} ${to - from}\n`),
      content.subarray(from, to),
      Buffer.from(`\n@brev-file end ${token}\n`),
    ]);
  const size = (token: string) => Buffer.from(`\n@brev-file size ${token} ${content.length}\n`);
  const sum = `@brev-file sum b ${createHash('sha256').update(content).digest('hex')}\n`;

  /** A shell whose stream brings this, and does the same however often it is asked. */
  const bringing = (...parts: Uint8Array[]): Pick<RemoteShell, 'stream'> => ({
    stream: async (_script, onStdout) => {
      for (const part of parts) onStdout(part);
      return ok(undefined);
    },
  });

  it('takes each byte once', async () => {
    const again = [frame('b', 0, 300), frame('b', 300, 600), frame('b', 600, 900), Buffer.from(sum)];
    const shell = bringing(size('a'), frame('a', 0, 300), frame('a', 300, 600), size('b'), ...again);
    const chunks: Uint8Array[] = [];
    const outcome = await download(shell, 'file', (chunk) => chunks.push(chunk), options);
    assert.equal(value(outcome), content.length);
    assert.ok(Buffer.concat(chunks).equals(content));
  });

  it('takes no byte behind a gap', async () => {
    const chunks: Uint8Array[] = [];
    const shell = bringing(size('a'), frame('a', 0, 300), frame('a', 600, 900), Buffer.from(sum));
    failureOf(await download(shell, 'file', (chunk) => chunks.push(chunk), options));
    assert.ok(Buffer.concat(chunks).equals(content.subarray(0, 300)));
  });
});

describe('the frames of a download', () => {
  const stream = (...parts: (string | Uint8Array)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));
  const bytesOf = (frames: readonly FileFrame[]) =>
    Buffer.concat(frames.flatMap((frame) => (frame.kind === 'bytes' ? frame.chunks : [])));
  const content = stream('one\n@brev-file end t\n two\0', randomBytes(500));
  const whole = stream(
    'Agent pid 7\n@@brev-begin stream\n\n@brev-file size t ',
    `${content.length}\n@brev-file bytes t 0 ${content.length}\n`,
    content,
    `\n@brev-file end t\n@brev-file sum t abc\n\n@@brev-end stream 0\ngpu1\n`,
  );

  it('are the same however the stream is cut', () => {
    for (const size of [1, 2, 3, 7, 64, whole.length]) {
      const reader = new FileFrameReader();
      const frames: FileFrame[] = [];
      for (let at = 0; at < whole.length; at += size)
        frames.push(...reader.push(whole.subarray(at, at + size)));
      assert.deepEqual(
        frames.map(({ kind }) => kind),
        ['size', 'bytes', 'sum'],
        `chunks of ${size}`,
      );
      assert.ok(bytesOf(frames).equals(content));
    }
  });

  it('of a run inside a frame that was cut are not taken for its bytes', () => {
    for (let cut = whole.indexOf(content); cut < whole.indexOf('\n@brev-file sum'); cut += 11) {
      const second = Buffer.from(
        whole.toString('latin1').replaceAll('end t', 'end u').replaceAll(' t ', ' u '),
        'latin1',
      );
      const frames = new FileFrameReader().push(Buffer.concat([whole.subarray(0, cut), second]));
      assert.deepEqual(
        frames.map(({ kind }) => kind),
        ['size', 'corrupt'],
        `cut at ${cut}`,
      );
    }
  });

  it('with a header that makes no sense end it', () => {
    const frames = new FileFrameReader().push(Buffer.from('@brev-file bytes t x\nabc\n'));
    assert.deepEqual(
      frames.map(({ kind }) => kind),
      ['corrupt'],
    );
  });

  it('survive a noise without line ends', () => {
    const frames = new FileFrameReader().push(
      stream(randomBytes(100_000).toString('hex'), '\n@brev-file size t 5\n'),
    );
    assert.deepEqual(frames, [{ kind: 'size', size: 5 }]);
  });
});
