import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Instance } from '../cloud/instance.ts';
import { CliError, GoPanic, multiError } from './errors.ts';
import { instancesOf, isOwn, type Seen } from './instances.ts';
import { activeOrg } from './orgs.ts';
import type { Invocation, Run } from './run.ts';
import { type Session, signIn } from './session.ts';
import { brevFile, writeBrevFile } from './user-files.ts';

/** `brev refresh`: rewrites the CLI's own ssh config. */
export async function refresh({ run }: Invocation): Promise<void> {
  run.out('refreshing brev...\n');
  const session = signIn(run);
  writeSshConfig(run, session);
  run.out('brev has been refreshed\n');
}

/** What refresh, and every slow path of exec, does with the files of `~/.brev` and `~/.ssh`. */
export function writeSshConfig(run: Run, session: Session): void {
  const org = activeOrg(run, session);
  if (org === undefined)
    throw new GoPanic('runtime error: invalid memory address or nil pointer dereference');
  if (run.fault('no-cloudflared') !== undefined) {
    throw multiError([
      'Get "https://github.com/cloudflare/cloudflared/releases/download/2024.10.0/cloudflared-linux-amd64": dial tcp: lookup github.com: no such host',
    ]);
  }
  if (!existsSync(brevFile(run, 'cloudflared')))
    writeBrevFile(run, 'cloudflared', '#!/bin/sh\nexit 1\n', 0o755, 0o755);
  const reachable = instancesOf(run, org).filter(
    (seen) => isOwn(session, seen) && seen.sight.status === 'RUNNING',
  );
  // One bad instance spoils the refresh of all (contract 9).
  const mute = reachable.find(({ instance }) => instance.sshUser === '');
  if (mute !== undefined) {
    throw new CliError(`workspace ${mute.instance.id} has empty SSH user (workspace may not be running)`);
  }
  writeBrevFile(run, 'brev.pem', run.cloud().privateKey, 0o600);
  writeBrevFile(run, 'ssh_config', reachable.map((seen) => blocks(run, seen)).join(''));
  includeInUserConfig(run);
}

function blocks(run: Run, { instance }: Seen): string {
  return [instance.name, `${instance.name}-host`]
    .map(
      (alias) => `Host ${alias}
  # ${instance.id}
  ${addressOf(run, instance)}
  IdentityFile "${brevFile(run, 'brev.pem')}"
  User ${instance.sshUser}
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile /dev/null
  PasswordAuthentication no
  AddKeysToAgent yes
  ForwardAgent yes
  RequestTTY yes
  ServerAliveInterval 30
  ControlMaster auto
  ControlPath ~/.ssh/brev-control-${run.since('0.6.323') ? '%C' : '%r@%h-%p'}
  ControlPersist 10m

`,
    )
    .join('');
}

function addressOf(run: Run, instance: Instance): string {
  if (instance.sshProxyHostname !== undefined) {
    return `ProxyCommand ${brevFile(run, 'cloudflared')} access ssh --hostname ${instance.sshProxyHostname}`;
  }
  return `Hostname ${instance.ssh === 'unresolvable' ? '-' : instance.sshHost}\n  Port ${instance.sshPort}`;
}

/** Prepends one line, unless exactly that line is there; the rest of the file is the user's. */
function includeInUserConfig(run: Run): void {
  const dir = join(run.home, '.ssh');
  const path = join(dir, 'config');
  const line = `Include "${brevFile(run, 'ssh_config')}"`;
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (before.split('\n').includes(line)) return;
  writeFileSync(path, `${line}\n${before}`, { mode: 0o644 });
}
