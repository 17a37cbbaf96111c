import type { Instance } from '../cloud/instance.ts';
import { CliError } from './errors.ts';
import { findOwn, notFound } from './instances.ts';
import { requireOrg } from './orgs.ts';
import { writeSshConfig } from './refresh.ts';
import type { Run } from './run.ts';
import { signIn } from './session.ts';
import { pollUntilRunning, startAndWait } from './start.ts';
import { waitForSsh } from './wait-for-ssh.ts';

/**
 * What copy, shell and open do first: look the instance up, start it if it is stopped (which costs money),
 * wait 5 s before the first look at its status, refresh, and wait for sshd.
 */
export async function reachInstance(run: Run, nameOrId: string): Promise<Instance> {
  const session = signIn(run);
  const seen = findOwn(run, session, requireOrg(run, session), nameOrId);
  if (seen === undefined) throw notFound(nameOrId);
  if (seen.sight.status === 'STOPPED') await startAndWait(run, seen.instance);
  await pollUntilRunning(run, seen.instance.id);
  const running = findOwn(run, session, requireOrg(run, session), nameOrId);
  if (running?.sight.status !== 'RUNNING') throw new CliError('Workspace is not running');
  writeSshConfig(run, session);
  await waitForSsh(run, running.instance.id);
  return running.instance;
}
