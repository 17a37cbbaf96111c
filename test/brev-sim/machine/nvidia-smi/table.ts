import type { Device } from './devices.ts';

const RULE = '+-----------------------------------------------------------------------------------------+';
const SPLIT = '+-----------------------------------------+------------------------+----------------------+';

function line(text: string): string {
  return `| ${text.padEnd(RULE.length - 4)} |`;
}

/** The table that a bare `nvidia-smi` prints. */
export function plainTable(devices: Device[], driver: string): string {
  const cuda = Number(driver.split('.')[0]) >= 580 ? '13.0' : '12.8';
  const now = new Date().toUTCString().replace(',', '').replace(' GMT', '');
  const rows = [
    now,
    RULE,
    line(`NVIDIA-SMI ${driver.padEnd(22)} Driver Version: ${driver.padEnd(14)} CUDA Version: ${cuda}`),
    SPLIT,
    '| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |',
    '| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |',
    '|                                         |                        |               MIG M. |',
    SPLIT.replaceAll('-', '='),
  ];
  for (const device of devices) rows.push(...deviceRows(device), SPLIT);
  rows.push(
    '',
    RULE,
    line('Processes:'),
    line(' GPU   GI   CI              PID   Type   Process name                        GPU Memory'),
    line('       ID   ID                                                               Usage'),
  );
  rows.push(`|${'='.repeat(RULE.length - 2)}|`);
  const processes = devices.flatMap(({ index, processes: list }) =>
    list.map((process) => ({ index, ...process })),
  );
  if (processes.length === 0) rows.push(line(' No running processes found'));
  for (const { index, pid, memoryMiB } of processes) {
    rows.push(
      line(
        `${String(index).padStart(4)}   N/A  N/A ${String(pid).padStart(16)}      C   python${`${memoryMiB}MiB`.padStart(39)}`,
      ),
    );
  }
  rows.push(RULE);
  return `${rows.join('\n')}\n`;
}

/** One line of the three columns; the first is filled to the right, the others to the left. */
function columns(first: string, second: string, third: string): string {
  return `| ${first.padEnd(39)} | ${second.padStart(22)} | ${third.padStart(20)} |`;
}

function deviceRows(device: Device): string[] {
  const { index, name, temperature, watts, limitWatts, usedMiB, memoryMiB, utilisation } = device;
  const head = `${String(index).padStart(3)}  ${name.slice(0, 28)}`;
  const perf = utilisation > 0 ? 'P0' : 'P8';
  const power = `${Math.round(watts)}W / ${String(Math.round(limitWatts)).padStart(4)}W`;
  const bus = `00000000:${(index + 1).toString(16).padStart(2, '0').toUpperCase()}:00.0 Off`;
  return [
    columns(`${head.padEnd(37)}On`, bus, 'Off'),
    columns(
      `N/A  ${String(temperature).padStart(3)}C    ${perf}${power.padStart(24)}`,
      `${usedMiB}MiB / ${String(memoryMiB).padStart(6)}MiB`,
      `${`${utilisation}%`.padStart(7)}      Default`,
    ),
    columns('', '', 'N/A'),
  ];
}
