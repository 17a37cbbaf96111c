import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { nanoTime, nowNanoseconds } from './clock.ts';
import type { ContainerConfig } from './container.ts';
import { DockerFailure, EngineFailure, engineError } from './failure.ts';
import { requireEngine, strikingFault } from './faults.ts';
import type { ParsedLine } from './flags.ts';
import { findImage, imageDefaults, parseReference } from './images.ts';
import { makeMountFolders, mountsOf } from './mounts.ts';
import {
  environmentOf,
  gpusOf,
  integerOf,
  labelsOf,
  logOptionsOf,
  restartOf,
  sizeOf,
  ulimitsOf,
} from './option-values.ts';
import { pullImage } from './pull-image.ts';
import { addContainer, type Container, dockerFolder, newContainerId } from './store.ts';

const DEFAULT_SHM = 64 * 1024 * 1024;

/** Creates a container from run's or create's flags, pulling the image when it must; progress goes to stderr. */
export async function createContainer(machine: string, line: ParsedLine): Promise<Container> {
  const [imageName = '', ...command] = line.words;
  const config = await configureForEngine(machine, line, imageName, command);
  await ensureImage(machine, line, imageName);
  const fault = strikingFault(machine, 'run', imageName);
  if (fault?.error === 'create')
    throw engineError(fault.text ?? 'mkdir /var/lib/docker/overlay2: no space left on device');
  makeMountFolders(config.mounts);
  const container = addContainer(machine, { ...config, imageId: findImage(machine, imageName)?.id ?? '' });
  const cidfile = line.value('cidfile');
  if (cidfile !== undefined) writeFileSync(cidfile, container.config.id);
  return container;
}

/** The client checks its flags before it looks for the engine; the engine's own complaints come after. */
async function configureForEngine(
  machine: string,
  line: ParsedLine,
  imageName: string,
  command: string[],
): Promise<ContainerConfig> {
  checkPullOption(line);
  try {
    const config = configure(machine, line, imageName, command);
    await requireEngine(machine, '/containers/create');
    return config;
  } catch (error) {
    if (error instanceof EngineFailure) await requireEngine(machine, '/containers/create');
    throw error;
  }
}

function checkPullOption(line: ParsedLine): void {
  const pull = line.value('pull') ?? 'missing';
  if (!['always', 'missing', 'never'].includes(pull)) {
    throw new DockerFailure(`invalid pull option: '${pull}': must be one of "always", "missing" or "never"`);
  }
}

async function ensureImage(machine: string, line: ParsedLine, imageName: string): Promise<void> {
  const pull = line.value('pull') ?? 'missing';
  const local = findImage(machine, imageName);
  if (local !== undefined && pull !== 'always') return;
  const reference = parseReference(imageName);
  const print = (text: string): void => {
    if (!line.on('quiet')) process.stderr.write(text);
  };
  if (pull !== 'always') print(`Unable to find image '${reference.familiar}' locally\n`);
  if (pull === 'never') throw engineError(`No such image: ${reference.familiar}`);
  await pullImage(machine, reference, print);
}

function nameOf(line: ParsedLine): string {
  const name = line.value('name');
  if (name === undefined) return `sim_${newContainerId().slice(0, 10)}`;
  if (!/^\/?[a-zA-Z0-9][a-zA-Z0-9_.-]+$/.test(name)) {
    throw engineError(`Invalid container name (${name}), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed`);
  }
  return name.replace(/^\//, '');
}

function configure(machine: string, line: ParsedLine, imageName: string, command: string[]): ContainerConfig {
  const cidfile = line.value('cidfile');
  if (cidfile !== undefined && existsSync(cidfile)) {
    throw new DockerFailure(
      `container ID file found, make sure the other container isn't running or delete ${cidfile}`,
    );
  }
  const id = newContainerId();
  const reference = parseReference(imageName);
  const defaults = imageDefaults(reference.familiar);
  const entrypointText = line.value('entrypoint');
  const entrypoint =
    entrypointText === undefined ? defaults.entrypoint : entrypointText === '' ? [] : [entrypointText];
  // An entrypoint of one's own drops the image's command too.
  const cmd = command.length > 0 || entrypointText !== undefined ? command : defaults.cmd;
  const workdir = line.value('workdir') ?? defaults.workdir;
  if (workdir !== '' && !workdir.startsWith('/')) {
    throw engineError(`the working directory '${workdir}' is invalid, it needs to be an absolute path`);
  }
  return {
    id,
    name: nameOf(line),
    created: nanoTime(nowNanoseconds()),
    image: imageName,
    imageId: '',
    argv: [...entrypoint, ...cmd],
    entrypoint,
    cmd,
    env: environmentOf(line, defaults.env),
    labels: { ...labelsFromFiles(line), ...labelsOf(line) },
    hostname: line.value('hostname') ?? id.slice(0, 12),
    user: line.value('user') ?? '',
    workdir,
    tty: line.on('tty'),
    openStdin: line.on('interactive'),
    gpus: gpusOf(line),
    ulimits: ulimitsOf(line),
    autoRemove: line.on('rm'),
    init: line.on('init'),
    ipcMode: line.value('ipc') ?? 'private',
    shmSize: sizeOf(line, 'shm-size', DEFAULT_SHM),
    memory: sizeOf(line, 'memory', 0),
    networkMode: line.value('network') ?? line.value('net') ?? 'bridge',
    privileged: line.on('privileged'),
    restart: restartOf(line),
    logDriver: line.value('log-driver') ?? 'json-file',
    logOptions: logOptionsOf(line),
    stopSignal: line.value('stop-signal') ?? '',
    stopTimeout: integerOf(line, 'stop-timeout'),
    mounts: mountsOf(line, dockerFolder(machine)),
  };
}

function labelsFromFiles(line: ParsedLine): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const path of line.list('label-file')) {
    for (const text of readFileSync(path, 'utf8').split('\n')) {
      const equals = text.indexOf('=');
      if (text !== '')
        labels[equals < 0 ? text : text.slice(0, equals)] = equals < 0 ? '' : text.slice(equals + 1);
    }
  }
  return labels;
}
