import { humanDuration, nowNanoseconds, parseTime } from '../clock.ts';
import type { ContainerStatus } from '../container.ts';
import { engineError } from '../failure.ts';
import { requireEngine } from '../faults.ts';
import { commandLine, type ParsedLine, parseLine } from '../flags.ts';
import { integerOf } from '../option-values.ts';
import { type Container, listContainers, machineFolder } from '../store.ts';
import { rowFormatter } from '../table.ts';
import { needWords } from '../words.ts';

const COLUMNS = {
  ID: 'CONTAINER ID',
  Image: 'IMAGE',
  Command: 'COMMAND',
  RunningFor: 'CREATED',
  Status: 'STATUS',
  Ports: 'PORTS',
  Names: 'NAMES',
};

/** `docker ps`: the running containers, or all of them; filtered and formatted. */
export async function ps(args: string[]): Promise<number> {
  const line = parseLine(
    commandLine('ps', '[OPTIONS]', 'a,all f,filter= format= n,last= l,latest no-trunc q,quiet s,size'),
    args,
  );
  needWords(line, 0, 0);
  const lastAsked = integerOf(line, 'last');
  const machine = machineFolder();
  const pairs = readFilterPairs(line);
  const format = rowFormatter(line.value('format'), {
    columns: COLUMNS,
    type: '*formatter.ContainerContext',
  });
  await requireEngine(machine, '/containers/json');
  const filters = readFilters(pairs);
  let containers = (await listContainers(machine)).filter((container) => matches(container, filters));
  // A status filter looks at stopped ones too, without -a.
  const all =
    line.on('all') || line.on('latest') || line.has('last') || filters.has('status') || filters.has('exited');
  if (!all) containers = containers.filter(({ state }) => state.status === 'running');
  const last = line.on('latest') ? 1 : (lastAsked ?? -1);
  if (last >= 0) containers = containers.slice(0, last);
  if (line.on('quiet')) {
    const ids = containers.map(({ config }) => (line.on('no-trunc') ? config.id : config.id.slice(0, 12)));
    process.stdout.write(ids.map((id) => `${id}\n`).join(''));
    return 0;
  }
  const rows = containers.map((container) => row(container, line.on('no-trunc')));
  process.stdout.write(format(rows));
  return 0;
}

type Filters = Map<string, string[]>;

const STATUSES: ContainerStatus[] = ['created', 'running', 'paused', 'exited', 'dead', 'removing'];
const FILTERS = [
  'label',
  'name',
  'status',
  'id',
  'ancestor',
  'exited',
  'volume',
  'network',
  'since',
  'before',
];

function readFilterPairs(line: ParsedLine): [string, string][] {
  return line.list('filter').map((text) => {
    const equals = text.indexOf('=');
    if (equals < 0) line.invalid('filter', text, 'bad format of filter (expected name=value)');
    return [text.slice(0, equals).trim().toLowerCase(), text.slice(equals + 1).trim()];
  });
}

/** The engine checks the names and values. */
function readFilters(pairs: [string, string][]): Filters {
  const filters: Filters = new Map();
  for (const [key, value] of pairs) {
    if (!FILTERS.includes(key)) throw engineError(`invalid filter '${key}'`);
    if (key === 'status' && !STATUSES.some((status) => status === value)) {
      throw engineError(`invalid filter 'status=${value}'`);
    }
    filters.set(key, [...(filters.get(key) ?? []), value]);
  }
  return filters;
}

function matches({ config, state }: Container, filters: Filters): boolean {
  const any = (key: string, test: (value: string) => boolean): boolean =>
    filters.get(key)?.some(test) ?? true;
  const labels = filters.get('label') ?? [];
  return (
    labels.every((text) => {
      const equals = text.indexOf('=');
      return equals < 0
        ? text in config.labels
        : config.labels[text.slice(0, equals)] === text.slice(equals + 1);
    }) &&
    any(
      'name',
      (value) => new RegExp(value).test(config.name) || new RegExp(value).test(`/${config.name}`),
    ) &&
    any('status', (value) => state.status === value) &&
    any('id', (value) => config.id.startsWith(value)) &&
    any('ancestor', (value) => config.image === value || config.image.split(':')[0] === value) &&
    any('exited', (value) => state.status === 'exited' && state.exitCode === Number(value))
  );
}

function age(time: string): string {
  return humanDuration(nowNanoseconds() - (parseTime(time) ?? nowNanoseconds()));
}

function statusText({ state }: Container): string {
  switch (state.status) {
    case 'running':
      return `Up ${age(state.startedAt)}`;
    case 'exited':
      return `Exited (${state.exitCode}) ${age(state.finishedAt)} ago`;
    case 'created':
      return 'Created';
    case 'dead':
      return 'Dead';
    case 'removing':
      return 'Removal In Progress';
    case 'paused':
      return `Up ${age(state.startedAt)} (Paused)`;
  }
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** The fields of docker's format templates, in its JSON's order. */
function row(container: Container, whole: boolean): Record<string, unknown> {
  const { config, state } = container;
  const command = config.argv.join(' ');
  const labels = Object.keys(config.labels).sort((a, b) => (a < b ? -1 : 1));
  const sources = config.mounts.map(({ source }) => (whole ? source : cut(source, 15)));
  return {
    Command: `"${whole ? command : cut(command, 20)}"`,
    CreatedAt: `${config.created.slice(0, 19).replace('T', ' ')} +0000 UTC`,
    ID: whole ? config.id : config.id.slice(0, 12),
    Image: config.image,
    Labels: labels.map((key) => `${key}=${config.labels[key] ?? ''}`).join(','),
    LocalVolumes: String(config.mounts.filter(({ type }) => type === 'volume').length),
    Mounts: sources.join(','),
    Names: config.name,
    Networks: config.networkMode,
    Ports: '',
    RunningFor: `${age(config.created)} ago`,
    Size: '0B',
    State: state.status,
    Status: statusText(container),
    Label: (key: unknown) => config.labels[String(key)] ?? '',
  };
}
