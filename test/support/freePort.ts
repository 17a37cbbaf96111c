import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port of the loopback interface where nobody listens. It is none of those that a system hands out by itself: such a one
 * is soon somebody's again, and a server that is down for a moment would not get it back.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_240, 32_768);
    const server = createServer();
    const listens = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (listens) {
      server.close();
      await once(server, 'close');
      return port;
    }
  }
}
