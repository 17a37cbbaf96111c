import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../../src/process/clock.ts';
import { forwardPort } from '../../../src/remote/portForward.ts';
import { inEnglish } from '../../../src/values/message.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/freePort.ts';
import { startSshMachine } from '../../support/ssh-machine.ts';

const never = new AbortController().signal;

/** A machine with a web server on its loopback, as a notebook or TensorBoard has. */
async function machineWithServer(t: TestContext) {
  const machine = await startSshMachine();
  const server = createServer((_, response) => response.end('notebook')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.close();
    await machine.dispose();
  });
  const localPort = await freePort();
  const { port: remotePort } = server.address() as AddressInfo;
  const options = { ssh: machine.settings, alias: 'gpu1', localPort, remotePort, clock: systemClock };
  return { machine, options, localPort };
}

const ask = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}`)).text();

describe('a forwarded port', () => {
  it('leads to the machine until it is stopped; then no process is left', async (t) => {
    const { machine, options, localPort } = await machineWithServer(t);
    const forward = await forwardPort(options, never);
    assert.ok(forward.kind === 'ok', JSON.stringify(forward));
    assert.equal(await ask(localPort), 'notebook');
    await forward.value.stop();
    assert.equal(await forward.value.ended, undefined);
    await assert.rejects(ask(localPort));
    await eventually(() => machine.sshProcesses().length === 0);
  });

  it('tells when its connection has broken', async (t) => {
    const { machine, options } = await machineWithServer(t);
    const forward = await forwardPort(options, never);
    assert.ok(forward.kind === 'ok');
    machine.sshd.drop();
    assert.notEqual(await forward.value.ended, undefined);
  });

  it('is refused where the port is in use, or the machine does not answer', async (t) => {
    const { machine, options } = await machineWithServer(t);
    const taken = await forwardPort({ ...options, localPort: options.remotePort }, never);
    assert.ok(taken.kind === 'failed');
    assert.match(inEnglish(taken.failure.message), /in use already/);
    await machine.sshd.refuse();
    const refused = await forwardPort(options, never);
    assert.ok(refused.kind === 'failed');
    assert.equal(refused.failure.kind, 'unreachable');
  });

  it('can be cancelled while it connects', async (t) => {
    const { machine, options } = await machineWithServer(t);
    machine.sshd.freeze();
    const abort = new AbortController();
    const forward = forwardPort(options, abort.signal);
    abort.abort();
    assert.equal((await forward).kind, 'cancelled');
    machine.sshd.thaw();
    await eventually(() => machine.sshProcesses().length === 0);
  });
});
