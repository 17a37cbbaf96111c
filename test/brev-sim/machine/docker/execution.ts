import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../json.ts';
import { programFile } from '../programs.ts';
import { NETWORKS } from '../tao/networks.ts';
import type { ContainerConfig } from './container.ts';
import { type ContainerPaths, rewritePaths, toHost } from './container-paths.ts';
import { CONTAINER_MARK } from './processes.ts';
import { shimFolder } from './shims.ts';
import { isTaoImage, TAO_ENTRYPOINT } from './tao-image.ts';

/** The real process that plays a container's first process. */
export interface Execution {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** What the image's entrypoint prints before the command runs. */
  banner: string;
}

/** Why runc would refuse: the text and docker's exit code for it. */
export interface Refusal {
  error: string;
  exitCode: number;
}

const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The path map of a container that is stored in `dir`. */
export function pathsOf(dir: string, config: ContainerConfig): ContainerPaths {
  return { mounts: config.mounts, rootfs: join(dir, 'rootfs') };
}

function refuse(word: string, why: string, exitCode: number): Refusal {
  return {
    error: `failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "${word}": ${why}: unknown`,
    exitCode,
  };
}

/** Finds a program as the container would: a path through the mounts, a name through PATH. */
function findProgram(word: string, paths: ContainerPaths, path: string): string | Refusal {
  const candidates = word.includes('/')
    ? [toHost(paths, word.startsWith('/') ? word : `/${word}`)]
    : path.split(':').map((folder) => join(folder, word));
  const file = candidates.find((candidate) => existsSync(candidate));
  if (file === undefined) {
    return refuse(
      word,
      word.includes('/') ? `stat ${word}: no such file or directory` : 'executable file not found in $PATH',
      127,
    );
  }
  if (statSync(file).isDirectory()) return refuse(word, 'is a directory', 126);
  try {
    accessSync(file, constants.X_OK);
    return file;
  } catch (error) {
    if (errorCode(error) !== 'EACCES') throw error;
    return refuse(word, 'permission denied', 126);
  }
}

/** Builds the environment: what was asked, the image's own, and this simulator's marks; nothing of the host's. */
function environment(dir: string, config: ContainerConfig, path: string): Record<string, string> {
  const env: Record<string, string> = {
    HOSTNAME: config.hostname,
    HOME: toHost(
      pathsOf(dir, config),
      config.user === '' || /^(0|root)(:|$)/.test(config.user) ? '/root' : '/',
    ),
  };
  for (const pair of config.env) {
    const equals = pair.indexOf('=');
    const value = pair.slice(equals + 1);
    // A value that is a path of the container must work for a real shell too.
    env[pair.slice(0, equals)] = value.startsWith('/') ? rewritePaths(pathsOf(dir, config), value) : value;
  }
  for (const [name, value] of Object.entries(process.env)) {
    if (name.startsWith('BREV_SIM_') && name !== 'BREV_SIM_SUDO' && value !== undefined) env[name] = value;
  }
  return { ...env, PATH: path, [CONTAINER_MARK]: config.id, BREV_SIM_CONTAINER_DIR: dir };
}

/** Plans the real process of a container, or says why it can't start. */
export function planExecution(
  dockerState: string,
  dir: string,
  config: ContainerConfig,
  argv: string[] = config.argv,
): Execution | Refusal {
  const paths = pathsOf(dir, config);
  const tao = isTaoImage(config.image);
  const path = [
    ...(tao ? [shimFolder(dockerState, 'tao')] : []),
    ...(config.gpus === null ? [] : [shimFolder(dockerState, 'gpu')]),
    shimFolder(dockerState, 'base'),
    SYSTEM_PATH,
  ].join(':');
  for (const folder of ['root', 'tmp', 'workspace', 'home', 'opt', 'var', 'mnt', 'run']) {
    mkdirSync(join(paths.rootfs, folder), { recursive: true });
  }
  const cwd = toHost(paths, config.workdir === '' ? '/' : config.workdir);
  if (!existsSync(cwd)) mkdirSync(cwd, { recursive: true });
  const env = environment(dir, config, path);
  const [word = '', ...rest] = argv[0] === TAO_ENTRYPOINT ? argv.slice(1) : argv;
  const name = word.slice(word.lastIndexOf('/') + 1);
  // The player knows the container's paths itself, so its words stay as they are.
  if (tao && (NETWORKS.has(name) || name === 'torchrun')) {
    return {
      file: process.execPath,
      args: [programFile('player'), name, ...rest],
      env,
      cwd,
      banner: taoBanner(config),
    };
  }
  const file = findProgram(word, paths, path);
  if (typeof file !== 'string') return file;
  const args = rest.map((argument) => rewritePaths(paths, argument));
  return { file, args, env, cwd, banner: tao ? taoBanner(config) : '' };
}

/** The TAO image's entrypoint greets before it runs the command. */
function taoBanner(config: ContainerConfig): string {
  // The silent scenario says nothing at all.
  if (!config.entrypoint.includes(TAO_ENTRYPOINT) || config.env.includes('TAO_SIM_SCENARIO=silent'))
    return '';
  const lines = [
    '',
    '===========================',
    '=== TAO Toolkit PyTorch ===',
    '===========================',
    '',
    `NVIDIA Release ${config.image.split(':').at(-1) ?? ''} (build 000000)`,
  ];
  if (config.gpus === null) {
    lines.push('', 'WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.');
  }
  if (config.ipcMode !== 'host' && config.shmSize <= 64 * 1024 * 1024) {
    lines.push('', 'NOTE: The SHMEM allocation limit is set to the default of 64MB.');
  }
  return `${lines.join('\n')}\n\n`;
}
