import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from './errors.ts';
import { findOwn, notFound, type Seen } from './instances.ts';
import { requireOrg } from './orgs.ts';
import { writeSshConfig } from './refresh.ts';
import type { Invocation, Run } from './run.ts';
import { signIn } from './session.ts';

/** `brev port-forward NAME -p LOCAL:REMOTE`: leaves a process behind and returns before it is known good. */
export async function portForward({ run, flags, args }: Invocation): Promise<void> {
  const ports = flags.text('port');
  if (ports === '') {
    run.out('\nPorts flag was omitted, running interactive mode!\n\nPrompt failed ^D\n');
    throw new CliError('');
  }
  const [local = '', remote = '', ...more] = ports.split(':');
  if (!ports.includes(':') || more.length > 0) {
    throw new CliError('port format invalid, use local_port:remote_port');
  }
  const name = args[0] ?? '';
  const session = signIn(run);
  const seen = findOwn(run, session, requireOrg(run, session), name);
  if (seen === undefined) throw notFound(name);
  writeSshConfig(run, session);
  const alias = flags.on('host') ? `${seen.instance.name}-host` : seen.instance.name;
  run.out(`Port forwarding...\nlocalhost:${local} -> ${alias}:${remote}\n`);
  leaveTunnel(run, seen, local, remote);
}

/** The real ssh ends up in a session of its own, so that a kill of brev's group doesn't reach it. */
function leaveTunnel(run: Run, { instance, sight }: Seen, local: string, remote: string): void {
  const state = run.fault('ssh')?.state ?? sight.ssh;
  const cloud = run.cloud();
  const words = [local, remote, state, instance.sshHost, String(instance.sshPort)];
  const child = spawn(cloud.nodePath, [join(cloud.programs, 'tunnel.cjs'), ...words], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  appendFileSync(join(run.root, 'tunnels'), `${child.pid ?? 0}\n`);
  child.unref();
}
