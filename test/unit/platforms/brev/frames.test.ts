import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Frame, FrameReader } from '../../../../src/platforms/brev/frames.ts';
import { inPieces, seededRandom } from '../../jobs/seededRandom.ts';

const bytesFrame = (token: string, offset: number, bytes: Uint8Array, stream = 'log') =>
  Buffer.concat([
    Buffer.from(`@brev frame ${token} 0 ${stream} ${offset} ${bytes.length}\n`),
    bytes,
    Buffer.from(`\n@brev end ${token}\n`),
  ]);
const beat = (token: string, step: string) => Buffer.from(`@brev beat ${token} 0 ${step}\n`);
const finish = (token: string, result: string) =>
  Buffer.from(`@brev finish ${token} 0\n${result}\n@brev end ${token}\n`);

/** What a reader makes of a stream that comes in these pieces; bytes as text, and maps as objects. */
function read(pieces: readonly Uint8Array[]): unknown[] {
  const reader = new FrameReader();
  return pieces.flatMap((piece) => reader.push(piece)).map(plain);
}

function plain(frame: Frame): unknown {
  switch (frame.kind) {
    case 'bytes':
      return { ...frame, bytes: Buffer.from(frame.bytes).toString('latin1') };
    case 'finish':
      return { ...frame, result: Object.fromEntries(frame.result) };
    case 'beat':
    case 'truncated':
    case 'gauge':
    case 'corrupt':
      return frame;
  }
}

/** Bytes in which everything stands that could be taken for something else. */
function nastyBytes(random: () => number, length: number): Buffer {
  const pieces = [
    '\n',
    '\r',
    '\0',
    '@brev end ',
    '@brev frame 1-2 0 log 0 5\n',
    '\n@brev end 1-2\n',
    '@brev finish 1-2 0\n',
    'é',
    '\u001b[31m',
    'Epoch 1: 10%|#',
  ];
  const parts: Buffer[] = [];
  for (let size = 0; size < length; ) {
    const part =
      random() < 0.5
        ? Buffer.from(pieces[Math.floor(random() * pieces.length)] ?? '')
        : Buffer.from(
            Array.from({ length: 1 + Math.floor(random() * 20) }, () => Math.floor(random() * 256)),
          );
    parts.push(part);
    size += part.length;
  }
  return Buffer.concat(parts);
}

describe('frames', () => {
  it('give the same bytes, however the stream is cut and whatever the bytes are', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = seededRandom(seed);
      const sent: Buffer[] = [];
      const stream: Buffer[] = [Buffer.from('Agent pid 4711\n\n'), beat('7-1', 'pull')];
      let offset = 0;
      for (let count = 0; count < 6; count++) {
        const bytes = nastyBytes(random, Math.floor(random() * 300));
        stream.push(bytesFrame('7-1', offset, bytes));
        sent.push(bytes);
        offset += bytes.length;
        if (random() < 0.5) {
          stream.push(beat('7-1', 'run'));
        }
      }
      stream.push(finish('7-1', 'step=run\nexit=0\noom=false\nerror='), Buffer.from('gpu1\n'));
      const whole = Buffer.concat(stream);
      const frames = read(inPieces(whole, random, seed % 3 === 0 ? 1 : 200));
      const received = frames.filter(isBytes);
      assert.equal(
        received.map(({ bytes }) => bytes).join(''),
        Buffer.concat(sent).toString('latin1'),
        `seed ${seed}`,
      );
      let expected = 0;
      for (const frame of received) {
        assert.equal(frame.offset, expected);
        expected += frame.bytes.length;
      }
      assert.deepEqual(frames.at(-1), {
        kind: 'finish',
        job: 0,
        result: { step: 'run', exit: '0', oom: 'false', error: '' },
      });
      assert.deepEqual(frames, read([whole]), `seed ${seed}`);
    }
  });

  it('skip what the route says in between', () => {
    const noise = [
      'Agent pid 7\n',
      'gpu1\n',
      '\n',
      'Connection failed\n',
      '@brev\n',
      '@brev x y\n',
      ' @brev beat 1 x\n',
      '@@brev-begin stream\n',
      'x'.repeat(10_000),
      '\n',
    ];
    const stream = noise.flatMap((line, index) => [
      Buffer.from(line),
      ...(index === 8 ? [] : [beat('1-1', `s${index}`)]),
    ]);
    assert.deepEqual(
      read(stream).map((frame) => (isBeat(frame) ? frame.step : frame)),
      [0, 1, 2, 3, 4, 5, 6, 7, 9].map((index) => `s${index}`),
    );
  });

  it('tell the two streams apart, and a file that became shorter', () => {
    assert.deepEqual(
      read([
        bytesFrame('1-1', 5, Buffer.from('a'), 'status'),
        Buffer.from('@brev truncated 1-1 0 log 7\n@brev truncated 1-1 0 status 0\n'),
      ]),
      [
        { kind: 'bytes', job: 0, stream: 'status', offset: 5, bytes: 'a' },
        { kind: 'truncated', job: 0, stream: 'log', size: 7 },
        { kind: 'truncated', job: 0, stream: 'status', size: 0 },
      ],
    );
  });

  it('tell the jobs of one connection apart', () => {
    const frames = [
      '@brev beat 1-1 0 run\n@brev beat 1-1 12 pull\n',
      '@brev frame 1-1 12 log 0 1\na\n@brev end 1-1\n@brev truncated 1-1 3 log 7\n',
      '\n@brev finish 1-1 2\nstep=run\n@brev end 1-1\n',
    ];
    assert.deepEqual(read([Buffer.from(frames.join(''))]), [
      { kind: 'beat', job: 0, step: 'run' },
      { kind: 'beat', job: 12, step: 'pull' },
      { kind: 'bytes', job: 12, stream: 'log', offset: 0, bytes: 'a' },
      { kind: 'truncated', job: 3, stream: 'log', size: 7 },
      { kind: 'finish', job: 2, result: { step: 'run' } },
    ]);
  });

  it('read a result with anything in its error', () => {
    const result = 'step=lost\nexit=\noom=true\nerror=a=b "c" 学習 ⣷';
    assert.deepEqual(read([finish('1-1', result)]), [
      { kind: 'finish', job: 0, result: { step: 'lost', exit: '', oom: 'true', error: 'a=b "c" 学習 ⣷' } },
    ]);
  });
});

describe('a stream that was cut and begun again', () => {
  it('never gives bytes of the second run as bytes of the first, wherever the cut was', () => {
    const log = Buffer.from('0123456789\n@brev end 9-9\nabcdefghij');
    const first = Buffer.concat([
      Buffer.from('\n'),
      beat('1-1', 'run'),
      bytesFrame('1-1', 0, log.subarray(0, 20)),
      bytesFrame('1-1', 20, log.subarray(20)),
    ]);
    const second = Buffer.concat([
      Buffer.from('\n'),
      beat('2-2', 'run'),
      bytesFrame('2-2', 0, log),
      finish('2-2', 'step=run\nexit=0'),
    ]);
    for (let cut = 0; cut <= first.length; cut++) {
      for (const longest of [1, 1_000]) {
        const stream = Buffer.concat([first.subarray(0, cut), second]);
        const frames = read(inPieces(stream, seededRandom(cut + 1), longest));
        for (const frame of frames.filter(isBytes)) {
          const expected = log.subarray(frame.offset, frame.offset + frame.bytes.length).toString('latin1');
          assert.equal(frame.bytes, expected, `cut at ${cut}`);
        }
        const corrupt = frames.findIndex((frame) => isCorrupt(frame));
        assert.ok(
          corrupt < 0 || corrupt === frames.length - 1,
          `something was believed after the cut at ${cut}`,
        );
        assert.ok(
          corrupt >= 0 || frames.some((frame) => isFinish(frame)),
          `neither an end nor a fault was seen: cut at ${cut}`,
        );
      }
    }
  });

  it('ends with the connection when nothing comes after the cut', () => {
    const whole = bytesFrame('1-1', 0, Buffer.from('0123456789'));
    for (let cut = 0; cut < whole.length; cut++) {
      assert.deepEqual(read([whole.subarray(0, cut)]), [], `cut at ${cut}`);
    }
    assert.equal(read([whole]).length, 1);
  });

  it('is not trusted any more after a wrong end mark', () => {
    const wrong = Buffer.from('@brev frame 1-1 0 log 0 3\nabc\n@brev end 2-2\n');
    assert.deepEqual(read([wrong, beat('1-1', 'run'), bytesFrame('1-1', 0, Buffer.from('abc'))]), [
      { kind: 'corrupt' },
    ]);
    for (const header of [
      '@brev frame 1-1 0 log 0\n',
      '@brev frame 1-1 0 log x 3\n',
      '@brev frame 1-1 0 other 0 3\n',
      '@brev frame 1-1 0\n',
      '@brev truncated 1-1 0 log\n',
    ]) {
      assert.deepEqual(read([Buffer.from(header)]), [{ kind: 'corrupt' }], header);
    }
  });
});

it('a frame of a megabyte that comes in network packets is put together in no time worth mentioning', () => {
  const bytes = Buffer.alloc(1024 * 1024, 'x');
  const stream = bytesFrame('1-1', 0, bytes);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < stream.length; at += 1_400) {
    pieces.push(stream.subarray(at, at + 1_400));
  }
  assert.equal(read(pieces).length, 1);
});

function isBytes(
  frame: unknown,
): frame is { readonly kind: 'bytes'; readonly offset: number; readonly bytes: string } {
  return hasKind(frame, 'bytes');
}

function isBeat(frame: unknown): frame is { readonly step: string } {
  return hasKind(frame, 'beat');
}

const isCorrupt = (frame: unknown): boolean => hasKind(frame, 'corrupt');
const isFinish = (frame: unknown): boolean => hasKind(frame, 'finish');

function hasKind(frame: unknown, kind: string): boolean {
  return typeof frame === 'object' && frame !== null && 'kind' in frame && frame.kind === kind;
}
