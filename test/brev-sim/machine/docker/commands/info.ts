import { readGpus } from '../../gpu.ts';
import { VERSION } from '../cli.ts';
import { requireEngine } from '../faults.ts';
import { commandLine, parseLine } from '../flags.ts';
import { listImages } from '../images.ts';
import { decimalSize } from '../sizes.ts';
import { dockerFolder, listContainers, machineFolder } from '../store.ts';
import { layTable } from '../table.ts';
import { compileTemplate } from '../template.ts';
import { needWords } from '../words.ts';

const CLIENT = `Client:\n Version:    ${VERSION.number}\n Context:    default\n Debug Mode: false\n`;

/** `docker info`: the client's part always, the server's when the engine answers. */
export async function info(args: string[]): Promise<number> {
  const line = parseLine(commandLine('info', '[OPTIONS]', 'f,format='), args);
  needWords(line, 0, 0);
  const machine = machineFolder();
  const format = line.value('format');
  await requireEngine(machine, '/info', format === undefined ? `${CLIENT}\nServer:\n` : 'null\n');
  const containers = await listContainers(machine);
  const count = (status: string): number => containers.filter(({ state }) => state.status === status).length;
  const runtimes = readGpus(machine) === undefined ? ['runc'] : ['nvidia', 'runc'];
  const values = {
    ID: '6f6e7c5e-0000-4000-8000-000000000000',
    Containers: containers.length,
    ContainersRunning: count('running'),
    ContainersPaused: 0,
    ContainersStopped: containers.length - count('running'),
    Images: listImages(machine).length,
    Driver: 'overlay2',
    DockerRootDir: dockerFolder(machine),
    ServerVersion: VERSION.number,
    OperatingSystem: 'Ubuntu 22.04.5 LTS',
    OSType: 'linux',
    Architecture: 'x86_64',
    NCPU: 8,
    MemTotal: 67_108_864_000,
    DefaultRuntime: 'runc',
    Runtimes: Object.fromEntries(
      runtimes.map((name) => [name, { path: name === 'runc' ? 'runc' : 'nvidia-container-runtime' }]),
    ),
  };
  if (format !== undefined) {
    process.stdout.write(`${format === 'json' ? JSON.stringify(values) : compileTemplate(format)(values)}\n`);
    return 0;
  }
  const server = [
    `Containers: ${values.Containers}`,
    ` Running: ${values.ContainersRunning}`,
    ' Paused: 0',
    ` Stopped: ${values.ContainersStopped}`,
    `Images: ${values.Images}`,
    `Server Version: ${VERSION.number}`,
    'Storage Driver: overlay2',
    `Runtimes: ${runtimes.join(' ')}`,
    'Default Runtime: runc',
    `Operating System: ${values.OperatingSystem}`,
    'OSType: linux',
    'Architecture: x86_64',
    `CPUs: ${values.NCPU}`,
    `Docker Root Dir: ${values.DockerRootDir}`,
  ];
  process.stdout.write(`${CLIENT}\nServer:\n${server.map((text) => ` ${text}`).join('\n')}\n`);
  return 0;
}

const PART = {
  Version: VERSION.number,
  ApiVersion: '1.50',
  Os: 'linux',
  Arch: 'amd64',
  GoVersion: 'go1.24.3',
  GitCommit: VERSION.build,
};

/** `docker version`: the client's part is there without an engine. */
export async function version(args: string[]): Promise<number> {
  const line = parseLine(commandLine('version', '[OPTIONS]', 'f,format='), args);
  needWords(line, 0, 0);
  const format = line.value('format');
  const client = `Client:
 Version:           ${PART.Version}
 API version:       ${PART.ApiVersion}
 Go version:        ${PART.GoVersion}
 Git commit:        ${PART.GitCommit}
 Built:             Fri May 30 12:07:14 2025
 OS/Arch:           linux/amd64
 Context:           default
`;
  const blank = Object.fromEntries(Object.keys(PART).map((key) => [key, '']));
  const render = (server: Record<string, string>): string => {
    const values = { Client: PART, Server: server };
    return `${format === 'json' ? JSON.stringify(values) : compileTemplate(format ?? '')(values)}\n`;
  };
  await requireEngine(machineFolder(), '/version', format === undefined ? client : render(blank));
  if (format !== undefined) {
    process.stdout.write(render(PART));
    return 0;
  }
  process.stdout.write(`${client}
Server: Docker Engine - Community
 Engine:
  Version:          ${PART.Version}
  API version:      ${PART.ApiVersion} (minimum version 1.24)
  Go version:       ${PART.GoVersion}
  Git commit:       45873be
  Built:            Fri May 30 12:07:14 2025
  OS/Arch:          linux/amd64
  Experimental:     false
`);
  return 0;
}

/** `docker system df`. */
export async function diskUsage(args: string[]): Promise<number> {
  const line = parseLine(commandLine('system df', '[OPTIONS]', 'format= v,verbose'), args);
  needWords(line, 0, 0);
  const machine = machineFolder();
  await requireEngine(machine, '/system/df');
  const images = listImages(machine);
  const containers = await listContainers(machine);
  const used = new Set(containers.map(({ config }) => config.imageId));
  const total = images.reduce((sum, { size }) => sum + size, 0);
  const idle = images.filter(({ id }) => !used.has(id)).reduce((sum, { size }) => sum + size, 0);
  const running = containers.filter(({ state }) => state.status === 'running').length;
  const share = total === 0 ? 0 : Math.round((idle / total) * 100);
  const rows = [
    ['TYPE', 'TOTAL', 'ACTIVE', 'SIZE', 'RECLAIMABLE'],
    [
      'Images',
      String(images.length),
      String(used.size),
      decimalSize(total),
      `${decimalSize(idle)} (${share}%)`,
    ],
    ['Containers', String(containers.length), String(running), '0B', '0B'],
    ['Local Volumes', '0', '0', '0B', '0B'],
    ['Build Cache', '0', '0', '0B', '0B'],
  ];
  process.stdout.write(`${layTable(rows)}\n`);
  return 0;
}
