import * as vscode from 'vscode';
import type { GpuGauge, InstanceGauge } from '../../instances/gauges.ts';

const MIB_A_GIB = 1024;
const GB = 1_000_000_000;

/** How busy a machine is, line by line; what can't be seen is said to be unknown. */
export function gaugeLines({ gpus, disk }: InstanceGauge): readonly {
  readonly label: string;
  readonly value: string;
}[] {
  const unknown = vscode.l10n.t('unknown');
  return [
    ...(gpus.length === 0
      ? [{ label: vscode.l10n.t('GPU use'), value: unknown }]
      : gpus.map((gpu) => ({
          label: gpus.length === 1 ? vscode.l10n.t('GPU use') : vscode.l10n.t('Use of GPU {0}', gpu.index),
          value: gpuWords(gpu),
        }))),
    {
      label: vscode.l10n.t('Disk'),
      value:
        disk === undefined
          ? unknown
          : vscode.l10n.t(
              '{0} of {1} GB free',
              Math.floor(disk.freeBytes / GB),
              Math.round(disk.totalBytes / GB),
            ),
    },
  ];
}

function gpuWords({ use, usedMib, totalMib, celsius }: GpuGauge): string {
  const parts = [
    ...(use === undefined ? [] : [`${use} %`]),
    ...(usedMib === undefined || totalMib === undefined
      ? []
      : [vscode.l10n.t('{0} of {1} GiB', gib(usedMib), gib(totalMib))]),
    ...(celsius === undefined ? [] : [`${celsius} °C`]),
  ];
  return parts.length === 0 ? vscode.l10n.t('unknown') : parts.join(', ');
}

function gib(mib: number): string {
  return (mib / MIB_A_GIB).toFixed(1);
}
