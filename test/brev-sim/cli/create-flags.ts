import type { FlagSpec } from './flags.ts';

/** What `create` has beside the filters of `search`. */
export const CREATE_FLAGS: FlagSpec[] = [
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
