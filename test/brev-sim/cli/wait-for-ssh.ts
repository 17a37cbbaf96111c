import { CliError } from './errors.ts';
import { seeNow } from './instances.ts';
import type { Run } from './run.ts';

const TRIES = 41;

/** The CLI's probe: 41 tries, a second apart, for what looks as if it may pass. */
export async function waitForSsh(run: Run, id: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const cloud = run.cloud();
    const instance = cloud.instances.find((candidate) => candidate.id === id);
    const state =
      instance === undefined
        ? 'unresolvable'
        : (run.fault('ssh')?.state ?? seeNow(run, cloud, instance).sight.ssh);
    const host = instance?.sshHost ?? '-';
    const port = instance?.sshPort ?? 22;
    let message: string;
    switch (state) {
      case 'ok':
        return;
      case 'unresolvable':
        throw new CliError('\nssh: Could not resolve hostname host.invalid: Name or service not known\r');
      case 'refused':
        message = `ssh: connect to host ${host} port ${port}: Connection refused\r`;
        await run.spin('waiting for SSH connection to be available', 1_000);
        break;
      case 'timeout':
        message = `ssh: connect to host ${host} port ${port}: Connection timed out\r`;
        await run.spin('waiting for SSH connection to be available', 10_000);
        break;
      case 'banner-hang':
        message = `Connection timed out during banner exchange\r\nConnection to ${host} port ${port} timed out\r`;
        await run.spin('waiting for SSH connection to be available', 10_000);
        break;
      case 'kex-closed':
        message = 'kex_exchange_identification: Connection closed by remote host\r';
        await run.spin('waiting for SSH connection to be available', 1_000);
        break;
      case 'key-rejected':
        // ssh's own warning counts as retryable, and the message blames it (contract 6).
        message = `Warning: Permanently added '[${host}]:${port}' (ED25519) to the list of known hosts.\r`;
        await run.spin('waiting for SSH connection to be available', 1_400);
        break;
    }
    if (tries === TRIES) throw new CliError(`\n${message}`);
  }
}
