import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { type Deferred, deferred } from '../support/deferred.ts';
import { HostRun } from '../support/host-run.ts';
import { SCREEN_SOCKET, type ScreenAction, screenAnswer } from '../support/screen-request.ts';

/** The tests' end of the way to the launcher, which holds the window's page. */
export class ScreenClient {
  readonly #socket: Socket;
  readonly #open = new Map<number, Deferred<unknown>>();
  #next = 1;

  private constructor(socket: Socket) {
    this.#socket = socket;
    createInterface({ input: socket }).on('line', (line) => this.#take(line));
    socket.on('close', () => {
      for (const request of this.#open.values()) request.reject(new Error('The launcher is gone'));
    });
  }

  /** Throws where nobody holds a page: a desktop VS Code can't be looked at from outside. */
  static async connect(): Promise<ScreenClient> {
    const file = HostRun.current().file(SCREEN_SOCKET);
    if (!existsSync(file))
      throw new Error(
        'This VS Code has no screen that tests can read: run them in the served one (VSCODE_HOST=served)',
      );
    const socket = connect(file);
    await once(socket, 'connect');
    // Tests that are over don't wait for it.
    socket.unref();
    return new ScreenClient(socket);
  }

  /** Does something in a window of VS Code and gives what came of it. */
  async ask(window: number, action: ScreenAction): Promise<unknown> {
    const id = this.#next++;
    const answer = deferred<unknown>();
    this.#open.set(id, answer);
    this.#socket.ref();
    this.#socket.write(`${JSON.stringify({ id, window, action })}\n`);
    try {
      return await answer.promise;
    } finally {
      this.#open.delete(id);
      if (this.#open.size === 0) this.#socket.unref();
    }
  }

  #take(line: string): void {
    const { id, value, error } = screenAnswer.parse(JSON.parse(line));
    if (error === undefined) this.#open.get(id)?.resolve(value);
    else this.#open.get(id)?.reject(new Error(error));
  }
}
