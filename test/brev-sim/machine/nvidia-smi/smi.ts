import { machineFolder } from '../docker/store.ts';
import { readGpus } from '../gpu.ts';
import { readDevices } from './devices.ts';
import { queryGpus } from './query.ts';
import { plainTable } from './table.ts';

const NO_DRIVER =
  "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n";

/** `nvidia-smi`: the table, `-L`, or a query; returns the exit code (9 without a driver, as the real one). */
export async function nvidiaSmi(args: string[]): Promise<number> {
  const machine = machineFolder();
  const gpus = readGpus(machine);
  if (gpus === undefined) {
    process.stdout.write(`${NO_DRIVER}\n`);
    return 9;
  }
  const devices = await readDevices(machine, gpus);
  const options = new Map<string, string>();
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const equals = arg.indexOf('=');
    const key = equals < 0 ? arg : arg.slice(0, equals);
    const takesNext = ['-i', '--id', '-l', '--loop', '-f'].includes(arg);
    options.set(key, equals < 0 ? (takesNext ? (rest.shift() ?? '') : '') : arg.slice(equals + 1));
  }
  const only = (options.get('-i') ?? options.get('--id'))?.split(',');
  const chosen = devices.filter(
    ({ index, uuid }) => only === undefined || only.includes(String(index)) || only.includes(uuid),
  );
  if (only !== undefined && chosen.length === 0) {
    process.stdout.write('No devices were found\n');
    return 6;
  }
  if (options.has('-L') || options.has('--list-gpus')) {
    process.stdout.write(
      chosen.map(({ index, name, uuid }) => `GPU ${index}: ${name} (UUID: ${uuid})\n`).join(''),
    );
    return 0;
  }
  const query = options.get('--query-gpu');
  if (query !== undefined) return queryGpus(chosen, query, options.get('--format') ?? '');
  const apps = options.get('--query-compute-apps');
  if (apps !== undefined) return queryApps(chosen, apps, options.get('--format') ?? '');
  const known = ['-i', '--id', '-q', '--query'];
  const unknown = [...options.keys()].find((key) => !known.includes(key));
  if (unknown !== undefined) {
    process.stdout.write(`Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.\n\n`);
    return 1;
  }
  process.stdout.write(plainTable(chosen, gpus.driver));
  return 0;
}

function queryApps(devices: Awaited<ReturnType<typeof readDevices>>, fields: string, format: string): number {
  const names = fields.split(',').map((field) => field.trim());
  const lines = format.includes('noheader') ? [] : [names.join(', ')];
  for (const { uuid, processes } of devices) {
    for (const { pid, memoryMiB } of processes) {
      const unit = format.includes('nounits') ? '' : ' MiB';
      const values: Record<string, string> = {
        pid: String(pid),
        process_name: 'python',
        name: 'python',
        used_memory: `${memoryMiB}${unit}`,
        used_gpu_memory: `${memoryMiB}${unit}`,
        gpu_uuid: uuid,
      };
      lines.push(names.map((name) => values[name] ?? '[N/A]').join(', '));
    }
  }
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  return 0;
}
