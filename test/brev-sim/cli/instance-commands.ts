import { type CommandSpec, JSON_FLAG, ORG_FLAG } from './command-spec.ts';
import { CREATE_FLAGS } from './create-flags.ts';
import { COMMON_FILTERS, GPU_FILTERS, SEARCH_FLAGS } from './search-flags.ts';

/** Instances, offers and their lifecycle. */
export const INSTANCE_COMMANDS: CommandSpec[] = [
  {
    name: 'ls',
    aliases: ['list'],
    use: 'ls [orgs|instances|nodes] [flags]',
    short: 'List instances within active org',
    example: '  brev ls\n  brev ls --json\n  brev ls orgs\n  brev ls --org <orgid>',
    flags: [
      ORG_FLAG,
      { name: 'all', type: 'bool', usage: "Show everybody's instances in the org" },
      { ...JSON_FLAG, since: '0.6.317' },
    ],
    load: async () => (await import('./ls.ts')).ls,
  },
  {
    name: 'search',
    aliases: ['gpu-search', 'gpu', 'gpus', 'gpu-list'],
    use: 'search [gpu|cpu]',
    short: 'Search and filter instance types',
    example: '  brev search\n  brev search --gpu-name A100 --json\n  brev search cpu --min-ram 32',
    flags: [...GPU_FILTERS, ...COMMON_FILTERS, ...SEARCH_FLAGS],
    children: [
      {
        name: 'cpu',
        aliases: [],
        use: 'cpu',
        short: 'Search CPU-only instance types',
        flags: [...COMMON_FILTERS, ...SEARCH_FLAGS],
        load: async () => (await import('./search.ts')).searchCpu,
      },
      {
        name: 'gpu',
        aliases: [],
        use: 'gpu',
        short: 'Search GPU instance types',
        flags: [...GPU_FILTERS, ...COMMON_FILTERS, ...SEARCH_FLAGS],
        load: async () => (await import('./search.ts')).searchGpu,
      },
    ],
    load: async () => (await import('./search.ts')).searchGpu,
  },
  {
    name: 'create',
    aliases: ['provision', 'gpu-create', 'gpu-retry', 'gcreate'],
    use: 'create [name]',
    short: 'Create instances, trying several types',
    example:
      '  brev create my-instance --type g5.xlarge\n  brev create my-instance --type g5.xlarge,g6.xlarge --detached\n  brev search --gpu-name L40S | brev create my-instance',
    flags: [...CREATE_FLAGS, ...GPU_FILTERS, ...COMMON_FILTERS],
    load: async () => (await import('./create.ts')).create,
  },
  {
    name: 'delete',
    aliases: [],
    use: 'delete [instance...]',
    short: 'Delete instances',
    example: '  brev delete <instance>...',
    flags: [],
    load: async () => (await import('./delete.ts')).deleteInstances,
  },
  {
    name: 'stop',
    aliases: [],
    use: 'stop [instance...]',
    short: 'Stop instances if they are running',
    example: '  brev stop <instance>...\n  brev stop --all',
    flags: [{ name: 'all', short: 'a', type: 'bool', usage: 'Stop all instances' }],
    load: async () => (await import('./stop.ts')).stop,
  },
  {
    name: 'start',
    aliases: [],
    use: 'start <instance>',
    short: 'Start an instance if it is stopped',
    example: '  brev start <instance>\n  brev start <git url>',
    flags: [
      { name: 'detached', short: 'd', type: 'bool', usage: 'Run the command in the background' },
      { name: 'name', short: 'n', type: 'string', usage: 'Name of a new instance' },
      {
        name: 'gpu',
        short: 'g',
        type: 'string',
        usage: 'GPU instance type of a new instance',
        byDefault: 'n1-standard-4:nvidia-tesla-t4:1',
      },
      { name: 'cpu', short: 'c', type: 'string', usage: 'CPU instance type of a new instance' },
      { name: 'empty', short: 'e', type: 'bool', usage: 'Create an empty instance' },
      ORG_FLAG,
    ],
    load: async () => (await import('./start.ts')).start,
  },
  {
    name: 'reset',
    aliases: [],
    use: 'reset [instance...]',
    short: 'Reset an instance if it is in a weird state',
    flags: [],
    load: async () => (await import('./reset.ts')).reset,
  },
  {
    name: 'recreate',
    aliases: [],
    use: 'recreate <instance>',
    short: 'Recreate an instance',
    flags: [],
    until: '0.6.326',
    load: async () => (await import('./reset.ts')).reset,
  },
];
