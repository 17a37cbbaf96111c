import { readFileSync } from 'node:fs';
import { errorCode } from '../json.ts';
import type { ContainerConfig, GpuRequest } from './container.ts';
import { DockerFailure, engineError } from './failure.ts';
import type { ParsedLine } from './flags.ts';
import { parseSize } from './sizes.ts';

/** `-e K=V`, or `-e K` for the caller's own value; a K that the caller doesn't have is left out. */
function environmentPair(text: string): string | undefined {
  if (text.includes('=')) return text;
  const value = process.env[text];
  return value === undefined ? undefined : `${text}=${value}`;
}

function environmentFile(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw new DockerFailure(`open ${path}: no such file or directory`);
    if (errorCode(error) === 'EACCES') throw new DockerFailure(`open ${path}: permission denied`);
    throw error;
  }
  const pairs: string[] = [];
  for (const raw of text.replace(/^\uFEFF/, '').split('\n')) {
    const line = raw.replace(/\r$/, '').trimStart();
    if (line === '' || line.startsWith('#')) continue;
    const name = line.split('=', 1)[0] ?? '';
    if (/\s/.test(name)) {
      throw new DockerFailure(`invalid env file (${path}): variable '${name}' contains whitespaces`);
    }
    if (name === '')
      throw new DockerFailure(`invalid env file (${path}): no variable name on line '${line}'`);
    // Quotes are part of the value: docker's env files know no quoting.
    const pair = environmentPair(line);
    if (pair !== undefined) pairs.push(pair);
  }
  return pairs;
}

/** The environment in docker's order: the image's, the files', the flags'; later ones win. */
export function environmentOf(line: ParsedLine, image: string[]): string[] {
  for (const text of line.list('env')) {
    if (text.startsWith('=') || text === '')
      line.invalid('env', text, `invalid environment variable: ${text}`);
  }
  const pairs = new Map<string, string>();
  const asked = line.list('env').map(environmentPair);
  for (const pair of [...image, ...line.list('env-file').flatMap(environmentFile), ...asked]) {
    if (pair !== undefined) pairs.set(pair.slice(0, pair.indexOf('=')), pair);
  }
  return [...pairs.values()];
}

export function labelsOf(line: ParsedLine): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const text of line.list('label')) {
    const equals = text.indexOf('=');
    const key = equals < 0 ? text : text.slice(0, equals);
    if (key === '') line.invalid('label', text, `invalid label '${text}': empty name`);
    labels[key] = equals < 0 ? '' : text.slice(equals + 1);
  }
  return labels;
}

/** Splits a comma-separated value whose fields may stand in double quotes, as `--gpus '"device=0,1"'` has it. */
export function csvFields(text: string): string[] {
  return [...text.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
}

/** `--gpus`: `all`, a number, or fields; ids with a comma outside quotes read as a count too, which docker refuses. */
export function gpusOf(line: ParsedLine): GpuRequest | null {
  const text = line.value('gpus');
  if (text === undefined) return null;
  const request: GpuRequest = { count: 0, deviceIds: [], capabilities: ['gpu'] };
  for (const field of csvFields(text)) {
    const equals = field.indexOf('=');
    const key = equals < 0 ? 'count' : field.slice(0, equals);
    const value = field.slice(equals + 1);
    switch (key) {
      case 'count':
        request.count = value === 'all' ? -1 : Number(value);
        if (!Number.isInteger(request.count)) {
          line.invalid(
            'gpus',
            text,
            `invalid count (${value}): value must be either "all" or an integer: invalid syntax`,
          );
        }
        break;
      case 'device':
        request.deviceIds = value.split(',');
        break;
      case 'capabilities':
        request.capabilities = ['gpu', ...value.split(',').filter((item) => item !== 'gpu')];
        break;
      case 'driver':
      case 'options':
        break;
      default:
        line.invalid('gpus', text, `unexpected key '${key}' in '${field}'`);
    }
  }
  if (request.count !== 0 && request.deviceIds.length > 0) {
    throw engineError('cannot set both Count and DeviceIDs on device request');
  }
  if (request.count === 0 && request.deviceIds.length === 0) request.count = 1;
  return request;
}

const ULIMITS =
  'as core cpu data fsize locks memlock msgqueue nice nofile nproc rss rtprio rttime sigpending stack'.split(
    ' ',
  );

export function ulimitsOf(line: ParsedLine): ContainerConfig['ulimits'] {
  return line.list('ulimit').map((text) => {
    const match = /^(\w+)=(\w+|-\d+)(?::(\w+|-\d+))?$/.exec(text);
    if (match === null) line.invalid('ulimit', text, `invalid ulimit argument: ${text}`);
    const [, name = '', softText = '', hardText] = match;
    if (!ULIMITS.includes(name)) line.invalid('ulimit', text, `invalid ulimit type: ${name}`);
    const soft = Number(softText);
    const hard = Number(hardText ?? softText);
    if (hard !== -1 && (soft > hard || soft === -1)) {
      const why = `ulimit soft limit must be less than or equal to hard limit: ${soft} > ${hard}`;
      line.invalid('ulimit', text, why);
    }
    return { name, soft, hard };
  });
}

/** A size flag in bytes. */
export function sizeOf(line: ParsedLine, name: string, whenAbsent: number): number {
  const text = line.value(name);
  if (text === undefined) return whenAbsent;
  const size = parseSize(text);
  if (size !== undefined) return size;
  const suffix = /^\d+(?:\.\d+)?(\D+)$/.exec(text)?.[1];
  line.invalid(name, text, suffix === undefined ? `invalid size: '${text}'` : `invalid suffix: '${suffix}'`);
}

/** A whole-number flag. */
export function integerOf(line: ParsedLine, name: string): number | null {
  const text = line.value(name);
  if (text === undefined) return null;
  if (!/^-?\d+$/.test(text)) line.invalid(name, text, `strconv.ParseInt: parsing "${text}": invalid syntax`);
  return Number(text);
}

/** `--log-opt K=V` as a record. */
export function logOptionsOf(line: ParsedLine): Record<string, string> {
  const options: Record<string, string> = {};
  for (const text of line.list('log-opt')) {
    const equals = text.indexOf('=');
    if (equals < 0) throw engineError(`invalid logging opts format: '${text}'`);
    options[text.slice(0, equals)] = text.slice(equals + 1);
  }
  return options;
}

/** `--restart NAME[:N]`. */
export function restartOf(line: ParsedLine): ContainerConfig['restart'] {
  const [name = 'no', retries = '0'] = (line.value('restart') ?? 'no').split(':');
  if (line.on('rm') && !['', 'no'].includes(name)) {
    throw new DockerFailure('conflicting options: cannot specify both --restart and --rm');
  }
  if (!['', 'no', 'always', 'unless-stopped', 'on-failure'].includes(name)) {
    throw engineError(
      `invalid restart policy: unknown policy '${name}'; use one of 'no', 'always', 'on-failure', or 'unless-stopped'`,
    );
  }
  return { name: name === '' ? 'no' : name, maximumRetryCount: Number(retries) };
}
