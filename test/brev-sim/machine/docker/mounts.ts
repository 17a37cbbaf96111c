import { existsSync, mkdirSync } from 'node:fs';
import { isAbsolute, join, posix, resolve } from 'node:path';
import type { Mount } from './container.ts';
import { engineError } from './failure.ts';
import type { ParsedLine } from './flags.ts';
import { csvFields } from './option-values.ts';
import { newContainerId } from './store.ts';

/** Makes what docker would make: named volumes, and the missing sources of `-v`. */
export function makeMountFolders(mounts: Mount[]): void {
  for (const { hostPath } of mounts) if (!existsSync(hostPath)) mkdirSync(hostPath, { recursive: true });
}

/** Every mount of `-v`, `--mount` and `--tmpfs`, with its real place on this host; nothing is made yet. */
export function mountsOf(line: ParsedLine, dockerState: string): Mount[] {
  const mounts = [
    ...line.list('volume').map((text) => volumeMount(text, dockerState)),
    ...line.list('mount').map((text) => longMount(line, text, dockerState)),
    ...line.list('tmpfs').map((text) => emptyMount('tmpfs', text.split(':', 1)[0] ?? '', dockerState)),
  ];
  for (const [index, { target }] of mounts.entries()) {
    if (mounts.findIndex((mount) => mount.target === target) !== index) {
      throw engineError(`Duplicate mount point: ${target}`);
    }
  }
  return mounts;
}

function cleanTarget(target: string, whole: string): string {
  if (!target.startsWith('/')) {
    throw engineError(
      `invalid volume specification: '${whole}': invalid mount config for type "bind": invalid mount path: '${target}' mount path must be absolute`,
    );
  }
  const clean = posix.normalize(target).replace(/(.)\/$/, '$1');
  if (clean === '/')
    throw engineError(
      `invalid volume specification: '${whole}': invalid specification: destination can't be '/'`,
    );
  return clean;
}

function volumeMount(text: string, dockerState: string): Mount {
  const parts = text.split(':');
  if (parts.length > 3 || parts.some((part) => part === '')) {
    throw engineError(`invalid volume specification: '${text}'`);
  }
  const [first = '', second, mode = ''] = parts;
  if (second === undefined) return emptyMount('volume', first, dockerState);
  const readOnly = mode.split(',').includes('ro');
  const source = first.startsWith('.') ? resolve(first) : first;
  const target = cleanTarget(second, text);
  if (isAbsolute(source))
    return { type: 'bind', source, hostPath: bindFolder(source, dockerState), target, readOnly };
  if (!/^[a-zA-Z0-9][\w.-]+$/.test(source)) {
    throw engineError(
      `create ${source}: "${source}" includes invalid characters for a local volume name, only "[a-zA-Z0-9][a-zA-Z0-9_.-]" are allowed. If you intended to pass a host directory, use absolute path`,
    );
  }
  return { type: 'volume', source, hostPath: volumeFolder(source, dockerState), target, readOnly };
}

/**
 * The real folder behind a bind mount. Docker makes a missing one; here that must not
 * touch the real machine, so what isn't there and isn't this machine's goes under its state.
 */
function bindFolder(source: string, dockerState: string): string {
  if (existsSync(source)) return source;
  const own = [process.env.HOME ?? '', process.env.BREV_SIM_MACHINE ?? ''].filter((folder) => folder !== '');
  const inside = own.some((folder) => source.startsWith(`${folder}/`));
  return inside ? source : join(dockerState, 'hostfs', source);
}

function volumeFolder(name: string, dockerState: string): string {
  return join(dockerState, 'volumes', name, '_data');
}

function emptyMount(type: 'volume' | 'tmpfs', target: string, dockerState: string): Mount {
  const name = newContainerId();
  const hostPath = volumeFolder(name, dockerState);
  return {
    type,
    source: type === 'volume' ? name : '',
    hostPath,
    target: cleanTarget(target, target),
    readOnly: false,
  };
}

function longMount(line: ParsedLine, text: string, dockerState: string): Mount {
  const fields = new Map<string, string>();
  for (const field of csvFields(text)) {
    const equals = field.indexOf('=');
    const key = (equals < 0 ? field : field.slice(0, equals)).toLowerCase();
    if (equals < 0 && !['readonly', 'ro'].includes(key)) {
      line.invalid('mount', text, `invalid field '${field}' must be a key=value pair`);
    }
    fields.set(key, equals < 0 ? 'true' : field.slice(equals + 1));
  }
  const type = fields.get('type') ?? 'volume';
  const source = fields.get('source') ?? fields.get('src') ?? '';
  const destination = fields.get('target') ?? fields.get('destination') ?? fields.get('dst') ?? '';
  const readOnly = ['true', '1'].includes(fields.get('readonly') ?? fields.get('ro') ?? 'false');
  if (destination === '') line.invalid('mount', text, 'target is required');
  if (type === 'bind') {
    // Unlike -v, --mount makes no missing source.
    if (!existsSync(source)) {
      throw engineError(`invalid mount config for type "bind": bind source path does not exist: ${source}`);
    }
    return { type, source, hostPath: source, target: cleanTarget(destination, text), readOnly };
  }
  if (type === 'tmpfs') return emptyMount('tmpfs', destination, dockerState);
  if (type !== 'volume') throw engineError(`invalid mount config for type "${type}": mount type unknown`);
  if (source === '') return emptyMount('volume', destination, dockerState);
  const hostPath = volumeFolder(source, dockerState);
  return { type, source, hostPath, target: cleanTarget(destination, text), readOnly };
}
