import { cpSync, existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { machineHome } from '../cloud/machine.ts';
import { CliError } from './errors.ts';
import { reachInstance } from './reach-instance.ts';
import type { Invocation, Run } from './run.ts';

const SCP = '/usr/bin/scp';

/** `brev copy SRC DST`: exactly one of them is `NAME:PATH`. */
export async function copy({ run, flags, args }: Invocation): Promise<void> {
  const [source, target] = [parse(args[0] ?? ''), parse(args[1] ?? '')];
  if ((source.name === undefined) === (target.name === undefined)) {
    throw new CliError(
      'exactly one of source or destination must be an instance path (format: instance_name:/path)',
    );
  }
  const upload = target.name !== undefined;
  if (upload && !existsSync(source.path)) {
    throw new CliError(`local file or directory does not exist: ${source.path}`);
  }
  const name = source.name ?? target.name ?? '';
  const instance = await reachInstance(run, name);
  const alias = flags.on('host') ? `${instance.name}-host` : instance.name;
  const begun = performance.now();
  const remote = remotePath(run, instance.id, upload ? target.path : source.path);
  if (upload) scp(source.path, remote, target.path, statSync(source.path).isDirectory());
  else scp(remote, resolve(target.path), source.path, true);
  const shown = upload ? [source.path, `${alias}:${target.path}`] : [`${alias}:${source.path}`, target.path];
  run.out(`\n✓ Successfully copied ${shown.join(' → ')} (${Math.round(performance.now() - begun)}ms)\n\n`);
}

interface Place {
  name?: string;
  path: string;
}

/** Any colon makes a path remote, `C:\x` included. */
function parse(text: string): Place {
  const parts = text.split(':');
  const [name = '', path = ''] = parts;
  if (parts.length === 1) return { path: text };
  if (parts.length > 2) throw new CliError('invalid instance path format, use instance_name:/path');
  return name === '' ? { path: text } : { name, path };
}

/** Relative paths and `~` start at the remote home; absolute ones are the playing computer's own. */
function remotePath(run: Run, id: string, path: string): string {
  const home = machineHome(run.root, id);
  if (path === '~') return home;
  return resolve(home, path.startsWith('~/') ? path.slice(2) : path);
}

/** scp's rules: into an existing folder, else under the new name; the parent must be there. */
function scp(from: string, to: string, asked: string, recursive: boolean): void {
  if (!existsSync(from)) throw failed(`${SCP}: ${asked}: No such file or directory`);
  const isDir = existsSync(to) && statSync(to).isDirectory();
  if (!isDir && asked.endsWith('/') && recursive) throw failed(`${SCP}: realpath ${asked}: No such file`);
  const target = isDir ? join(to, basename(from)) : to;
  if (!existsSync(dirname(target))) throw failed(`${SCP}: dest open "${asked}": No such file or directory`);
  cpSync(from, target, { recursive, preserveTimestamps: false });
}

function failed(output: string): CliError {
  return new CliError(`scp failed: exit status 1\nOutput: ${output}\n`);
}
