// Stands in for the `ssh -N -L` that `brev port-forward` leaves behind: LOCAL REMOTE STATE HOST PORT.
// The simulated machine shares the loopback interface, so the far end is 127.0.0.1:REMOTE.
import { connect, createServer } from 'node:net';

const [local = '', remote = '', state = '', host = '', port = ''] = process.argv.slice(2);
const isPort = (text: string) => /^\d+$/.test(text) && Number(text) < 65_536;

if (!isPort(local) || !isPort(remote))
  fail(`Bad local forwarding specification '${local}:127.0.0.1:${remote}'\n`);
else if (state === 'unresolvable')
  fail('ssh: Could not resolve hostname host.invalid: Name or service not known\r\n');
else if (state === 'key-rejected') fail(`ubuntu@${host}: Permission denied (publickey).\r\n`);
else if (state === 'refused' || state === 'kex-closed')
  fail(`ssh: connect to host ${host} port ${port}: Connection refused\r\n`);
else if (state !== 'ok') fail(`ssh: connect to host ${host} port ${port}: Connection timed out\r\n`);
else listen();

function listen(): void {
  const server = createServer((near) => {
    const far = connect(Number(remote), '127.0.0.1');
    near.pipe(far).pipe(near);
    far.on('error', () => near.destroy());
    near.on('error', () => far.destroy());
  });
  server.on('error', () => {
    // Without ExitOnForwardFailure ssh complains and stays, forwarding nothing (contract 8).
    process.stderr.write(
      `bind [127.0.0.1]:${local}: Address already in use\r\nchannel_setup_fwd_listener_tcpip: cannot listen to port: ${local}\r\nCould not request local forwarding.\r\n`,
    );
    setInterval(() => undefined, 3_600_000);
  });
  server.listen(Number(local), '127.0.0.1');
}

function fail(text: string): void {
  process.stderr.write(text);
  process.exitCode = 255;
}
