import type { Dialect } from '../cloud/state.ts';
import type { FlagSpec } from './flags.ts';
import type { Handler } from './run.ts';
import { COMMON_FILTERS, GPU_FILTERS, SEARCH_FLAGS } from './search-flags.ts';

export interface CommandSpec {
  name: string;
  aliases: string[];
  use: string;
  short: string;
  long?: string;
  example?: string;
  flags: FlagSpec[];
  /** Number of positional arguments that Cobra allows: [least, most]. */
  arity?: [number, number];
  children?: CommandSpec[];
  hidden?: boolean;
  since?: string;
  until?: string;
  dialect?: Dialect;
  /** Loads the code; each call of brev pays for one subcommand only. */
  load: () => Promise<Handler>;
}

const ANY = Number.POSITIVE_INFINITY;

export const GLOBAL_FLAGS: FlagSpec[] = [
  {
    name: 'no-check-latest',
    type: 'bool',
    usage: 'Do not check for the latest version when printing version',
  },
  {
    name: 'user',
    type: 'string',
    usage: 'Non root user to use for per user configuration of commands run as root',
  },
  { name: 'version', type: 'bool', usage: 'Print version output' },
];

const json: FlagSpec = { name: 'json', type: 'bool', usage: 'Output as JSON' };
const host: FlagSpec = { name: 'host', type: 'bool', usage: 'Use the host machine instead of the container' };
const orgFlag: FlagSpec = {
  name: 'org',
  short: 'o',
  type: 'string',
  usage: 'Organization, by name (default: the active one)',
};

const CREATE_FLAGS: FlagSpec[] = [
  { name: 'name', short: 'n', type: 'string', usage: 'Base name of the instances (or the first argument)' },
  { name: 'type', short: 't', type: 'string', usage: 'Comma-separated list of instance types to try' },
  { name: 'count', short: 'c', type: 'int', usage: 'Number of instances to create', byDefault: '1' },
  {
    name: 'parallel',
    short: 'p',
    type: 'int',
    usage: 'Number of parallel creation attempts',
    byDefault: '1',
  },
  { name: 'detached', short: 'd', type: 'bool', usage: "Don't wait for instances to be ready" },
  {
    name: 'timeout',
    type: 'int',
    usage: 'Seconds to wait for each instance to become ready',
    byDefault: '300',
  },
  { name: 'dry-run', type: 'bool', usage: 'Show the matching instance types and create nothing' },
  {
    name: 'mode',
    short: 'm',
    type: 'string',
    usage: 'Workspace mode: vm, k8s, container or compose',
    byDefault: 'vm',
  },
  { name: 'container-image', type: 'string', usage: 'Image for container mode' },
  { name: 'compose-file', type: 'string', usage: 'Compose file or URL for compose mode' },
  { name: 'jupyter', type: 'bool', usage: 'Install Jupyter', byDefault: 'true' },
  {
    name: 'startup-script',
    short: 's',
    type: 'string',
    usage: 'Script to run on the instance: text, or @path of a local file',
  },
  { name: 'launchable', type: 'string', usage: 'Launchable id or URL to deploy', since: '0.6.323' },
  { name: 'gpu', type: 'string', usage: 'GPU and count, as L40S:1', dialect: 'tao' },
  {
    name: 'cloud-cred-id',
    type: 'string',
    usage: 'Cloud credential to create the instance with',
    dialect: 'tao',
  },
  {
    name: 'workspace-group-id',
    type: 'string',
    usage: 'Workspace group to place the instance in',
    dialect: 'tao',
  },
];

const ORG_FLAGS: FlagSpec[] = [];

/** Every subcommand that the simulator knows, with the version and dialect that has it. */
export const COMMANDS: CommandSpec[] = [
  {
    name: 'ls',
    aliases: ['list'],
    use: 'ls [orgs|instances|nodes] [flags]',
    short: 'List instances within active org',
    example: '  brev ls\n  brev ls --json\n  brev ls orgs\n  brev ls --org <orgid>',
    flags: [
      orgFlag,
      { name: 'all', type: 'bool', usage: "Show everybody's instances in the org" },
      { ...json, since: '0.6.317' },
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
    name: 'exec',
    aliases: [],
    use: 'exec [instance...] <command>',
    short: 'Execute a command on instance(s)',
    long: 'Execute a command on one or more instances non-interactively',
    example:
      '  brev exec my-instance "nvidia-smi"\n  brev exec my-instance @setup.sh\n  brev create my-instance | brev exec "nvidia-smi"',
    flags: [host],
    arity: [1, ANY],
    load: async () => (await import('./exec.ts')).execCommand,
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
      orgFlag,
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
  {
    name: 'copy',
    aliases: ['cp', 'scp'],
    use: 'copy <source> <destination>',
    short: 'Copy files between local and remote instance',
    example: '  brev copy ./file my-instance:/path/\n  brev copy my-instance:/path/file ./',
    flags: [host],
    arity: [2, 2],
    load: async () => (await import('./copy.ts')).copy,
  },
  {
    name: 'port-forward',
    aliases: [],
    use: 'port-forward <instance>',
    short: 'Enable a local ssh link tunnel',
    example: '  brev port-forward <instance> -p local_port:remote_port',
    flags: [{ name: 'port', short: 'p', type: 'string', usage: 'local_port:remote_port' }, host],
    arity: [1, 1],
    load: async () => (await import('./port-forward.ts')).portForward,
  },
  {
    name: 'shell',
    aliases: ['ssh'],
    use: 'shell <instance>',
    short: 'Open a shell in an instance',
    example: '  brev shell <instance>',
    flags: [host, { name: 'dir', short: 'd', type: 'string', usage: 'Directory to start the shell in' }],
    arity: [1, 1],
    load: async () => (await import('./shell.ts')).shell,
  },
  {
    name: 'open',
    aliases: [],
    use: 'open [instance...] [editor]',
    short: 'Open an instance in an editor',
    example: '  brev open <instance>\n  brev open <instance> cursor\n  brev open --set-default cursor',
    flags: [
      host,
      { name: 'dir', short: 'd', type: 'string', usage: 'Directory to open' },
      { name: 'wait', short: 'w', type: 'bool', usage: 'Wait for setup to finish' },
      { name: 'editor', short: 'e', type: 'string', usage: 'Editor to use' },
      { name: 'set-default', type: 'string', usage: 'Set the default editor' },
    ],
    load: async () => (await import('./open.ts')).open,
  },
  {
    name: 'refresh',
    aliases: [],
    use: 'refresh',
    short: 'Force a refresh to the ssh config',
    flags: [],
    load: async () => (await import('./refresh.ts')).refresh,
  },
  {
    name: 'run-tasks',
    aliases: [],
    use: 'run-tasks',
    short: 'Run background tasks for brev',
    flags: [{ name: 'detached', short: 'd', type: 'bool', usage: 'Run in the background' }],
    hidden: true,
    load: async () => (await import('./run-tasks.ts')).runTasks,
  },
  {
    name: 'login',
    aliases: [],
    use: 'login',
    short: 'Log into brev',
    example: '  brev login\n  brev login --token <token>',
    flags: [
      { name: 'token', short: 't', type: 'string', usage: 'Token to log in with' },
      { name: 'skip-browser', type: 'bool', usage: 'Print the login URL instead of opening a browser' },
      { name: 'email', type: 'string', usage: 'Email to log in with' },
      { name: 'auth', type: 'string', usage: 'Authentication provider: nvidia or legacy' },
      { name: 'api-key', type: 'string', usage: 'API key (bak-…)', hidden: true, since: '0.6.324' },
      {
        name: 'org-id',
        type: 'string',
        usage: 'Organization of the API key',
        hidden: true,
        since: '0.6.324',
      },
    ],
    load: async () => (await import('./login.ts')).login,
  },
  {
    name: 'logout',
    aliases: [],
    use: 'logout',
    short: 'Log out of brev',
    flags: [],
    load: async () => (await import('./login.ts')).logout,
  },
  {
    name: 'set',
    aliases: [],
    use: 'set <org>',
    short: 'Set active org',
    flags: [],
    arity: [1, 1],
    load: async () => (await import('./org.ts')).setOrg,
  },
  {
    name: 'org',
    aliases: [],
    use: 'org',
    short: 'Organization commands',
    flags: ORG_FLAGS,
    children: [
      {
        name: 'ls',
        aliases: [],
        use: 'ls',
        short: 'List your organizations',
        flags: [],
        load: async () => (await import('./org.ts')).listOrgs,
      },
      {
        name: 'set',
        aliases: [],
        use: 'set <org>',
        short: 'Set active org',
        flags: [],
        arity: [1, 1],
        load: async () => (await import('./org.ts')).orgSet,
      },
    ],
    load: async () => (await import('./org.ts')).listOrgs,
  },
  {
    name: 'orgs',
    aliases: [],
    use: 'orgs',
    short: 'List organizations and their cloud credentials',
    flags: [json],
    dialect: 'tao',
    load: async () => (await import('./org.ts')).taoOrgs,
  },
  {
    name: 'healthcheck',
    aliases: [],
    use: 'healthcheck',
    short: 'Check backend to see if it is healthy',
    flags: [],
    load: async () => (await import('./misc.ts')).healthcheck,
  },
  {
    name: 'agent-skill',
    aliases: [],
    use: 'agent-skill',
    short: 'Install the brev skill for AI coding agents',
    flags: [],
    children: [
      {
        name: 'install',
        aliases: [],
        use: 'install',
        short: 'Install the brev skill',
        flags: [],
        load: async () => (await import('./agent-skill.ts')).install,
      },
      {
        name: 'uninstall',
        aliases: [],
        use: 'uninstall',
        short: 'Remove the brev skill',
        flags: [],
        load: async () => (await import('./agent-skill.ts')).uninstall,
      },
    ],
    load: async () => (await import('./agent-skill.ts')).install,
  },
  {
    name: 'analytics',
    aliases: [],
    use: 'analytics [on|off]',
    short: 'Enable or disable analytics',
    flags: [],
    since: '0.6.323',
    load: async () => (await import('./misc.ts')).analytics,
  },
  {
    name: 'upgrade',
    aliases: [],
    use: 'upgrade',
    short: 'Upgrade brev to the latest version',
    flags: [],
    since: '0.6.320',
    load: async () => (await import('./misc.ts')).upgrade,
  },
  {
    name: 'workspacegroups',
    aliases: [],
    use: 'workspacegroups',
    short: 'List workspace groups',
    flags: [],
    until: '0.6.326',
    load: async () => (await import('./misc.ts')).workspaceGroups,
  },
];
