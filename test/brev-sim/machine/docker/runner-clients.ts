import { createServer, type Server, type Socket } from 'node:net';
import { errorCode, isRecord } from '../json.ts';
import { encodeFrame, FRAME, socketName } from './control.ts';
import type { Stream } from './output-log.ts';

/** A reader that is so far behind holds the container's output back, as docker's attach does. */
const BACKLOG_BYTES = 4 * 1024 * 1024;

/** One client of a runner. */
export interface Client {
  attached: boolean;
  answer(value: object): void;
}

/** The runner's side of the control socket: who is connected, who gets the output. */
export class RunnerClients {
  private readonly server: Server;
  private readonly sockets = new Map<Socket, Client>();
  private readonly onRequest: (request: Record<string, unknown>, client: Client) => void;
  private readonly onRoom: () => void;

  /** `onRoom` is called when a backlog may have gone. */
  constructor(onRequest: (request: Record<string, unknown>, client: Client) => void, onRoom: () => void) {
    this.onRequest = onRequest;
    this.onRoom = onRoom;
    this.server = createServer((socket) => this.accept(socket));
  }

  /** Listening is the lock: the second runner of a container is told that it is one too many. */
  listen(id: string, say: (word: 'ready' | 'busy') => void): void {
    this.server.once('error', (error) => {
      if (errorCode(error) !== 'EADDRINUSE') throw error;
      say('busy');
    });
    this.server.listen(socketName(id), () => say('ready'));
  }

  private accept(socket: Socket): void {
    const client: Client = {
      attached: false,
      answer: (value) => socket.write(encodeFrame(FRAME.answer, Buffer.from(JSON.stringify(value)))),
    };
    this.sockets.set(socket, client);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.sockets.delete(socket);
      this.onRoom();
    });
    socket.on('drain', () => this.onRoom());
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      const lines = (text + chunk).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const request: unknown = JSON.parse(line);
        if (isRecord(request)) this.onRequest(request, client);
      }
    });
  }

  /** Hands output to those who are attached. */
  send(stream: Stream, bytes: Buffer): void {
    const frame = encodeFrame(FRAME[stream], bytes);
    for (const [socket, { attached }] of this.sockets) if (attached) socket.write(frame);
  }

  get congested(): boolean {
    return [...this.sockets.keys()].some(({ writableLength }) => writableLength > BACKLOG_BYTES);
  }

  /** Says the exit code to everyone, and lets the process end when they have read it. */
  close(exitCode: number): void {
    this.server.close();
    for (const socket of this.sockets.keys()) {
      socket.end(encodeFrame(FRAME.exit, Buffer.from(String(exitCode))));
    }
  }
}
