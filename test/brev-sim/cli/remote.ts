import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SshState } from '../cloud/instance.ts';
import { machineDir, machineHome, machinePath } from '../cloud/machine.ts';
import { seeNow } from './instances.ts';
import type { Run } from './run.ts';
import { readBrevFile } from './user-files.ts';

interface BashOptions {
  stdin?: 'ignore' | 'inherit';
  /** Lose the connection after so many bytes of stdout. */
  drop?: number | undefined;
}

/**
 * Runs a line in the local bash, as the real CLI does, with the simulated ssh in front of PATH.
 * Gives the exit code; 255 for what a signal ended.
 */
export async function localBash(run: Run, line: string, options: BashOptions = {}): Promise<number> {
  const { stdin = 'ignore', drop } = options;
  // A file, because the table of a big org is longer than an environment variable may be.
  const hosts = join(run.root, `hosts.${process.pid}`);
  writeFileSync(hosts, hostTable(run));
  const child = spawn('bash', ['-c', line], {
    stdio: [stdin, 'inherit', 'inherit'],
    env: {
      ...process.env,
      PATH: `${join(run.root, 'libexec')}:${process.env.PATH ?? ''}`,
      BREV_SIM_HOSTS: hosts,
      BREV_SIM_SPEED: String(run.speed),
      ...(drop === undefined ? {} : { BREV_SIM_DROP_AFTER: String(drop) }),
    },
  });
  try {
    return await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code) => resolve(code ?? 255));
    });
  } finally {
    rmSync(hosts, { force: true });
  }
}

/** The command line of `brev exec`: NAME stands in it bare, which is the real CLI's injection hole. */
export function sshLine(alias: string, command: string, timeoutSeconds: number): string {
  const quoted = command.replaceAll("'", "'\\''");
  const agent = '[ -n "$SSH_AUTH_SOCK" ] || eval $(ssh-agent -s) > /dev/null; ';
  return `${agent}ssh -T -o ConnectTimeout=${timeoutSeconds} -o LogLevel=ERROR ${alias} '${quoted}'`;
}

/** One line for each alias of the CLI's ssh config, with what a connection to it meets now. */
function hostTable(run: Run): string {
  if (run.fault('torn-ssh-config') !== undefined) {
    run.faults = run.faults.filter((fault) => fault.kind !== 'torn-ssh-config');
    return '';
  }
  return readAliases(run)
    .map(({ alias, id }) => {
      const cloud = run.cloud();
      const instance = cloud.instances.find((candidate) => candidate.id === id);
      if (instance === undefined)
        return [alias, 'unresolvable', '-', '-', '-', '-', `${id}.brev.sim`, '22'].join('\t');
      const { sight } = seeNow(run, cloud, instance);
      const state: SshState = sight.gone ? 'unresolvable' : (run.fault('ssh')?.state ?? sight.ssh);
      return [
        alias,
        state,
        machineDir(run.root, id),
        machineHome(run.root, id),
        machinePath(run.root, id),
        instance.sshUser,
        state === 'unresolvable' ? 'host.invalid' : instance.sshHost,
        instance.sshPort,
        instance.startDir ?? '',
      ].join('\t');
    })
    .map((line) => `${line}\n`)
    .join('');
}

/** The aliases of `~/.brev/ssh_config`; a name with a space gives two patterns, as ssh reads it. */
function readAliases(run: Run): { alias: string; id: string }[] {
  const text = readBrevFile(run, 'ssh_config') ?? '';
  return text
    .split(/^Host /m)
    .slice(1)
    .flatMap((block) => {
      const patterns = (block.split('\n')[0] ?? '').trim().split(/\s+/);
      const id = /^\s*# (\S+)$/m.exec(block)?.[1] ?? '';
      return patterns.map((alias) => ({ alias, id }));
    });
}
