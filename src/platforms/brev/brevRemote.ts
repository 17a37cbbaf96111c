import type { InstanceGauge } from '../../instances/gauges.ts';
import { untilUsable } from '../../instances/untilUsable.ts';
import type { Clock } from '../../process/clock.ts';
import type { Run } from '../../process/run.ts';
import { Shells, type ShellsOptions } from '../../remote/shells.ts';
import { sshSettings } from '../../remote/sshSettings.ts';
import type { Platform } from '../platform.ts';
import { BrevPlatform } from './brevPlatform.ts';

/** Everything that reaches into instances; its code is read when it is first needed. */
export interface BrevRemote {
  readonly shells: Shells;
  readonly platform: Platform;
}

export function createBrevRemote(
  options: Omit<ShellsOptions, 'ssh'> & {
    readonly run: Run;
    readonly environment: () => Record<string, string>;
    readonly clock: Clock;
    readonly onGauge: (instanceId: string, gauge: InstanceGauge) => void;
  },
): BrevRemote {
  const shells = new Shells({ ...options, ssh: sshSettings(options) });
  return {
    shells,
    platform: new BrevPlatform({
      clock: options.clock,
      shell: (target) => shells.shell(target),
      untilUsable: (signal) => untilUsable(options.store, options.clock, signal),
      onGauge: options.onGauge,
    }),
  };
}
