import { join, posix } from 'node:path';
import type { Mount } from './container.ts';

/** Where a container's paths really are: mounts first, then its own root, then the host's system folders. */
export interface ContainerPaths {
  mounts: Mount[];
  rootfs: string;
}

/** Folders that a container shares with the host here, because real programs live in them. */
const SHARED = new Set([
  'bin',
  'sbin',
  'usr',
  'lib',
  'lib32',
  'lib64',
  'libx32',
  'etc',
  'dev',
  'proc',
  'sys',
]);

/** Folders that scripts name and that must never mean the host's. */
const PRIVATE =
  'root|home|tmp|workspace|results|data|datasets|models|model|specs|output|outputs|input|app|work|mnt|media|opt|srv|var|run';

function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

function mountOf(paths: ContainerPaths, path: string): Mount | undefined {
  return paths.mounts
    .filter((mount) => within(path, mount.target))
    .sort((a, b) => b.target.length - a.target.length)[0];
}

/** The host path behind an absolute container path. */
export function toHost(paths: ContainerPaths, containerPath: string): string {
  const path = posix.normalize(containerPath).replace(/(.)\/$/, '$1');
  // a program whose words were rewritten (rewritePaths) writes the host's paths into files that another one reads
  if ([paths.rootfs, ...paths.mounts.map(({ hostPath }) => hostPath)].some((own) => within(path, own)))
    return path;
  const mount = mountOf(paths, path);
  if (mount !== undefined) return join(mount.hostPath, path.slice(mount.target.length));
  const top = path.split('/')[1] ?? '';
  return SHARED.has(top) ? path : join(paths.rootfs, path);
}

/** The container's name for a host path; a path that is no host path of it stays as it is. */
export function toContainer(paths: ContainerPaths, hostPath: string): string {
  const mount = paths.mounts
    .filter((each) => within(hostPath, each.hostPath))
    .sort((a, b) => b.hostPath.length - a.hostPath.length)[0];
  if (mount !== undefined) return posix.join(mount.target, hostPath.slice(mount.hostPath.length));
  return within(hostPath, paths.rootfs) ? posix.join('/', hostPath.slice(paths.rootfs.length)) : hostPath;
}

/** Whether writing to a container path would fail with EROFS. */
export function isReadOnly(paths: ContainerPaths, containerPath: string): boolean {
  return mountOf(paths, posix.normalize(containerPath))?.readOnly ?? false;
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Rewrites the container paths in a word or a script, so that a real shell finds the host's files. */
export function rewritePaths(paths: ContainerPaths, text: string): string {
  const targets = paths.mounts.map(({ target }) => escapeForPattern(target.slice(1)));
  const heads = [...targets, PRIVATE].filter((head) => head !== '').join('|');
  const pattern = new RegExp(
    `(^|[\\s"'=:;,(<>|&\`@{}])(/(?:${heads})(?![\\w.-])[^\\s"'\`;:,()<>|&$*?{}\\\\]*)`,
    'g',
  );
  return text.replace(pattern, (_all, before: string, path: string) => before + toHost(paths, path));
}

/** The reverse of `rewritePaths` for a program that speaks in the container's own paths. */
export function restorePaths(paths: ContainerPaths, text: string): string {
  const folders = [...paths.mounts.map(({ hostPath }) => hostPath), paths.rootfs].sort(
    (a, b) => b.length - a.length,
  );
  const pattern = new RegExp(
    `(${folders.map(escapeForPattern).join('|')})(?![\\w.-])(/[^\\s"'\`;:,()<>|&]*)?`,
    'g',
  );
  return text.replace(pattern, (path: string) => toContainer(paths, path));
}
