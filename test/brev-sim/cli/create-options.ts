import { readFileSync } from 'node:fs';
import { codeOf } from '../cloud/lock.ts';
import { CliError } from './errors.ts';
import { fieldOf, textField } from './fields.ts';
import type { Flags } from './flags.ts';
import { type Invocation, type Run, readPipedStdin } from './run.ts';
import { filterOffers } from './search.ts';

export interface WantedType {
  type: string;
  /** Known where a search chose it; `--type` always gets the default (contract 5). */
  diskGb?: number;
}

export const DEFAULT_DISK_GB = 120;
/** What `create` without a type looks for (contract 5). */
const DEFAULT_FLOORS = { totalVram: 20, disk: 500, capability: 8, bootMinutes: 7 };

/** The CLI's own check of names, before any login. */
export function checkName(run: Run, name: string): void {
  if (name === '') throw new CliError('name is required');
  if (!run.since('0.6.318')) return;
  if (name.length > 63) throw new CliError(`name must be 63 characters or fewer (got ${name.length})`);
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) {
    throw new CliError(
      'name must start with a letter or digit and contain only letters, digits, hyphens, underscores, and dots',
    );
  }
}

/** The types to try, in order: from `--type`, from stdin, by GPU (TAO), or whatever the filters find. */
export async function wantedTypes({ run, flags }: Invocation): Promise<WantedType[]> {
  const named = flags
    .text('type')
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '')
    .map((type) => ({ type }));
  const piped = parsePiped(await readPipedStdin(run));
  if (named.length + piped.length > 0) return [...named, ...piped];
  const byGpu = flags.text('gpu');
  const found = byGpu === '' ? byFilters(flags) : byGpuAndCount(flags, byGpu);
  if (found.length === 0) {
    throw new CliError(
      "no GPU instances match the specified filters. Try 'brev search' to see available options",
    );
  }
  return found;
}

/** A script file that isn't there stops the create before anything is asked. */
export function readStartupScript(flags: Flags): void {
  const script = flags.text('startup-script');
  if (!script.startsWith('@')) return;
  try {
    readFileSync(script.slice(1));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new CliError(`open ${script.slice(1)}: no such file or directory`);
  }
}

/** Accounts with several credentials or groups must say where (contract 17). */
export function refusePlacement(run: Run, flags: Flags): void {
  if (run.dialect !== 'tao') return;
  const { cloudCredentials, workspaceGroups } = run.cloud().placement;
  const credential = flags.text('cloud-cred-id');
  const group = flags.text('workspace-group-id');
  const ambiguous =
    (cloudCredentials.length > 1 && credential === '') || (workspaceGroups.length > 1 && group === '');
  if (ambiguous) {
    throw new CliError(
      'placement is ambiguous: specify cloudCredId and workspaceGroupId for this organization',
    );
  }
  if (credential !== '' && !cloudCredentials.some(({ id }) => id === credential)) {
    throw new CliError(`placement failed: unknown cloudCredId ${credential}`);
  }
  if (group !== '' && !workspaceGroups.includes(group)) {
    throw new CliError(`placement failed: unknown workspaceGroupId ${group}`);
  }
}

function byFilters(flags: Flags): WantedType[] {
  const floors = {
    ...(flags.given('min-total-vram') ? {} : { totalVram: DEFAULT_FLOORS.totalVram }),
    ...(flags.given('min-disk') ? {} : { disk: DEFAULT_FLOORS.disk }),
    ...(flags.given('min-capability') ? {} : { capability: DEFAULT_FLOORS.capability }),
    ...(flags.given('max-boot-time') ? {} : { bootMinutes: DEFAULT_FLOORS.bootMinutes }),
  };
  return filterOffers(flags, 'GPU', floors).map(({ type, target_disk_gb }) => ({
    type,
    diskGb: target_disk_gb,
  }));
}

/** `--gpu L40S:1` of the TAO dialect. */
function byGpuAndCount(flags: Flags, wanted: string): WantedType[] {
  const [name = '', count = '1'] = wanted.split(':');
  return filterOffers(flags, 'GPU')
    .filter(
      (offer) => offer.gpu_name.toLowerCase() === name.toLowerCase() && offer.gpu_count === Number(count),
    )
    .map(({ type }) => ({ type }));
}

/** JSON of `search --json`, a table's first column, or bare types; other lines mean nothing. */
function parsePiped(text: string): WantedType[] {
  if (text.trimStart().startsWith('[')) {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch (error) {
      if (error instanceof SyntaxError) return [];
      throw error;
    }
    if (!Array.isArray(json)) return [];
    return json.flatMap((row: unknown) => {
      const disk = fieldOf(row, 'target_disk_gb');
      const type = textField(row, 'type');
      return type === '' ? [] : [typeof disk === 'number' ? { type, diskGb: disk } : { type }];
    });
  }
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/)[0] ?? '')
    .filter((word) => /[a-z]/i.test(word) && /\d/.test(word))
    .map((type) => ({ type }));
}
