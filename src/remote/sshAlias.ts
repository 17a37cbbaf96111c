import { readFile } from 'node:fs/promises';
import { type Clock, sleep } from '../process/clock.ts';

/** What the CLI's ssh config says about one alias. */
export interface SshAlias {
  /** Its lines, to tell whether it has changed. */
  readonly text: string;
  /** The instance's id, where the entry names it: only those of old groups do (brev-cli.md part 9). */
  readonly instanceId: string | undefined;
}

/** The CLI truncates the file before it writes it: one read in forty finds it cut (brev-cli.md part 11). */
const READS = 5;
const BETWEEN_READS_MS = 40;

/** Looks an alias up in the CLI's config; one that is missing or cut is looked for again before it counts as missing. */
export async function readSshAlias(file: string, alias: string, clock: Clock): Promise<SshAlias | undefined> {
  for (let read = 1; ; read++) {
    const found = findSshAlias(await readText(file), alias);
    if (found !== undefined || read === READS) {
      return found;
    }
    await sleep(clock, BETWEEN_READS_MS);
  }
}

/** The entry of an alias in an ssh config, if it is there and whole. */
export function findSshAlias(config: string, alias: string): SshAlias | undefined {
  const lines: string[] = [];
  let inside = false;
  // a last line without its end was cut
  for (const line of config.split('\n').slice(0, -1)) {
    const host = /^\s*(?:Host|Match)(?:\s+|\s*=\s*)(.*)$/i.exec(line);
    if (host !== null) {
      if (inside) {
        break;
      }
      inside = /^\s*Host/i.test(line) && patterns(host[1] ?? '').includes(alias);
    } else if (inside && line.trim() !== '' && !/^\s*#/.test(line)) {
      lines.push(line.trim());
    }
  }
  const values = new Map(lines.map(readLine));
  const address = values.get('hostname') ?? values.get('proxycommand');
  if (address === undefined || !values.has('user') || !values.has('identityfile')) {
    return undefined;
  }
  return {
    text: lines.join('\n'),
    instanceId: /^brev proxy (\S+)$/.exec(values.get('proxycommand') ?? '')?.[1],
  };
}

function patterns(text: string): readonly string[] {
  return text.split(/\s+/).map((word) => word.replace(/^"(.*)"$/, '$1'));
}

function readLine(line: string): [string, string] {
  const [, name = '', value = ''] = /^(\w+)(?:\s*=\s*|\s+)(.*)$/.exec(line) ?? [];
  return [name.toLowerCase(), value.trim()];
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    // the CLI has not been refreshed yet
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return '';
    }
    throw error;
  }
}
