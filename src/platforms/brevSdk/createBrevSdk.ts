import type { Placement } from '../../brev/create.ts';
import type { Clock } from '../../process/clock.ts';
import type { RemoteShell } from '../../remote/shell.ts';
import type { Outcome } from '../../values/outcome.ts';
import type { JobTarget, Platform } from '../platform.ts';
import { BrevSdkPlatform } from './brevSdkPlatform.ts';
import { SdkRoute, type SdkRouteOptions } from './sdkRoute.ts';

/** Everything of the TAO SDK; its code is read when it is first needed. */
export interface BrevSdk {
  readonly route: SdkRoute;
  readonly platform: Platform;
}

export function createBrevSdk(
  options: SdkRouteOptions & {
    readonly clock: Clock;
    readonly shell: (target: JobTarget) => Promise<Outcome<RemoteShell>>;
    readonly placement: () => Promise<Placement | undefined>;
  },
): BrevSdk {
  const route = new SdkRoute(options);
  const { clock, log, placement, shell } = options;
  const platform = new BrevSdkPlatform({ clock, shell, placement, log, bridge: () => route.bridge() });
  return { route, platform };
}
