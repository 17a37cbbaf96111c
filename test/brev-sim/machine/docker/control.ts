import { createConnection, type Socket } from 'node:net';
import { deferred } from '../deferred.ts';
import { errorCode, isRecord } from '../json.ts';

/**
 * How clients speak with a container's runner: one abstract unix socket a container.
 * The kernel drops it with the runner, so "does it listen" is also "does it live",
 * and binding it is the lock that lets only one runner start a container.
 */
export function socketName(id: string): string {
  return `\0brev-sim-docker-${id}`;
}

export type Request =
  | { op: 'attach' }
  | { op: 'wait' }
  | { op: 'start' }
  | { op: 'stdin'; data: string }
  | { op: 'stdin-end' }
  | { op: 'signal'; signal: string }
  | { op: 'stop'; signal: string; milliseconds: number };

/** Kinds of frame from the runner: the two output streams, an answer, the exit. */
export const FRAME = { stdout: 1, stderr: 2, answer: 3, exit: 4 } as const;

export interface Frame {
  kind: number;
  payload: Buffer;
}

export function encodeFrame(kind: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(kind, 0);
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}

/** Cuts a stream of bytes into frames; returns what is left over. */
export function takeFrames(buffer: Buffer, onFrame: (frame: Frame) => void): Buffer {
  let rest = buffer;
  while (rest.length >= 5) {
    const end = 5 + rest.readUInt32BE(1);
    if (rest.length < end) break;
    onFrame({ kind: rest.readUInt8(0), payload: rest.subarray(5, end) });
    rest = rest.subarray(end);
  }
  return rest;
}

/** Connects to a container's runner; undefined when nobody listens. */
export async function connectRunner(id: string): Promise<Socket | undefined> {
  return await new Promise((resolve, reject) => {
    const socket = createConnection(socketName(id));
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', (error) => {
      if (['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'].includes(errorCode(error))) resolve(undefined);
      else reject(error);
    });
  });
}

export async function runnerListens(id: string): Promise<boolean> {
  const socket = await connectRunner(id);
  socket?.on('error', () => socket.destroy());
  socket?.end();
  return socket !== undefined;
}

export interface Session {
  /** The answer to the first request; undefined when the runner vanished. */
  answer: Promise<Record<string, unknown> | undefined>;
  /** The answer to the second one, where there is one. */
  second: Promise<Record<string, unknown> | undefined>;
  /** The exit code, or undefined when the runner vanished. */
  exit: Promise<number | undefined>;
  send(request: Request): void;
  /** The raw socket: attach writes the container's stdin into it. */
  socket: Socket;
}

export interface Listener {
  stdout(bytes: Buffer): void;
  stderr(bytes: Buffer): void;
}

/** Sends a request and follows what comes back until the container ends. */
export function openSession(socket: Socket, request: Request, listener?: Listener): Session {
  const answers = [0, 1].map(() => deferred<Record<string, unknown> | undefined>());
  let answered = 0;
  const exit = deferred<number | undefined>();
  let rest: Buffer = Buffer.alloc(0);
  const onFrame = ({ kind, payload }: Frame): void => {
    if (kind === FRAME.stdout) listener?.stdout(payload);
    else if (kind === FRAME.stderr) listener?.stderr(payload);
    else {
      const value: unknown = JSON.parse(payload.toString());
      if (kind === FRAME.answer) {
        answers[answered]?.resolve(isRecord(value) ? value : undefined);
        answered += 1;
      } else exit.resolve(typeof value === 'number' ? value : undefined);
    }
  };
  socket.on('data', (bytes: Buffer) => {
    rest = takeFrames(rest.length === 0 ? bytes : Buffer.concat([rest, bytes]), onFrame);
  });
  // A reset is a runner that was killed: 'close' follows and says so.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    for (const answer of answers) answer.resolve(undefined);
    exit.resolve(undefined);
  });
  const send = (next: Request): void => {
    socket.write(`${JSON.stringify(next)}\n`);
  };
  send(request);
  const [first, second] = answers;
  const none = Promise.resolve(undefined);
  return {
    answer: first?.promise ?? none,
    second: second?.promise ?? none,
    exit: exit.promise,
    send,
    socket,
  };
}
