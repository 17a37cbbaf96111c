import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { freePort } from '../support/freePort.ts';
import { anyBrev, simOnly } from './support/brev.ts';
import { eventually } from './support/eventually.ts';

anyBrev('the form of -p', async ({ run }) => {
  for (const ports of ['8080', '1:2:3']) {
    const { code, stdout, stderr } = await run(['port-forward', 'no-such-instance-at-all', '-p', ports]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /port format invalid, use local_port:remote_port\n$/);
  }
});

simOnly(
  'it returns at once with 0 and leaves a tunnel that a kill of its group spares',
  {},
  async ({ sim, start }) => {
    await sim.addInstance({ name: 'gpu1' });
    const remote = await listen((socket) => socket.end('served'));
    const local = await freePort();
    const forward = start(['port-forward', 'gpu1', '-p', `${local}:${portOf(remote)}`], { group: true });
    await forward.exited;
    assert.equal(forward.child.exitCode, 0);
    assert.equal(forward.stdout(), `Port forwarding...\nlocalhost:${local} -> gpu1:${portOf(remote)}\n`);
    const [tunnel] = await sim.tunnels();
    assert.ok(tunnel !== undefined && tunnel !== forward.pid);
    let answer: string | undefined;
    await eventually(async () => {
      answer = await ask(local);
      return answer !== undefined;
    });
    assert.equal(answer, 'served');
    assert.throws(
      () => process.kill(-forward.pid, 'SIGTERM'),
      { code: 'ESRCH' },
      'nobody of its group is left',
    );
    assert.equal(await ask(local), 'served');
    process.kill(tunnel, 'SIGTERM');
    await forward.ended;
    remote.close();
  },
);

simOnly(
  'a busy local port: exit 0, the complaint comes later, the process stays',
  {},
  async ({ sim, start }) => {
    await sim.addInstance({ name: 'gpu1' });
    const busy = await listen(() => undefined);
    const forward = start(['port-forward', 'gpu1', '-p', `${portOf(busy)}:80`]);
    await forward.exited;
    assert.equal(forward.child.exitCode, 0);
    await forward.until(
      'stderr',
      new RegExp(`bind \\[127\\.0\\.0\\.1\\]:${portOf(busy)}: Address already in use`),
    );
    const [tunnel] = await sim.tunnels();
    assert.ok(tunnel !== undefined);
    process.kill(tunnel, 'SIGTERM');
    await forward.ended;
    busy.close();
  },
);

simOnly(
  'stopped, not resolvable, bad ports: exit 0 all the same, ssh complains',
  {},
  async ({ sim, run }) => {
    await sim.addInstance({ name: 'off', status: 'STOPPED' });
    await sim.addInstance({ name: 'lost', ssh: 'unresolvable' });
    await sim.addInstance({ name: 'gpu1' });
    for (const [name, ports, complaint] of [
      ['off', '8080:80', /^ssh: /m],
      ['lost', '8080:80', /^ssh: Could not resolve hostname /m],
      ['gpu1', 'abc:def', /Bad local forwarding specification/],
    ] as const) {
      const { code, stdout, stderr } = await run(['port-forward', name, '-p', ports]);
      assert.equal(code, 0);
      assert.match(stdout, /^Port forwarding\.\.\.\n/);
      assert.match(stderr, complaint);
    }
    assert.equal((await sim.instance('off')).status, 'STOPPED');
  },
);

simOnly('no -p: an interactive prompt that fails', {}, async ({ sim, run }) => {
  await sim.addInstance({ name: 'gpu1' });
  const { stdout } = await run(['port-forward', 'gpu1']);
  assert.match(stdout, /Prompt failed \^D/);
});

async function listen(serve: (socket: import('node:net').Socket) => void): Promise<Server> {
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** What the port says, or undefined while nobody listens. */
async function ask(port: number): Promise<string | undefined> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } catch {
    return undefined;
  }
  return await text(socket);
}
