import type { Clock } from '../process/clock.ts';
import { Emitter, type Listen } from '../values/emitter.ts';

/** How busy one GPU is; what its driver doesn't tell is undefined. */
export interface GpuGauge {
  readonly index: number;
  /** Per cent. */
  readonly use: number | undefined;
  readonly usedMib: number | undefined;
  readonly totalMib: number | undefined;
  readonly celsius: number | undefined;
}

/** How busy an instance is. */
export interface InstanceGauge {
  /** Empty where they can't be seen, such as without nvidia-smi. */
  readonly gpus: readonly GpuGauge[];
  /** Of the home directory; undefined where it can't be seen. */
  readonly disk: { readonly totalBytes: number; readonly freeBytes: number } | undefined;
}

/** What was seen longer ago says nothing of now. */
const FRESH_MS = 60_000;

/** The newest look at each instance that somebody follows a job on. Nothing is asked for it. */
export class InstanceGauges {
  readonly #clock: Clock;
  readonly #changes = new Emitter<string>();
  readonly #gauges = new Map<string, { readonly gauge: InstanceGauge; readonly at: number }>();

  /** Tells the id of an instance that was looked at. */
  readonly onChange: Listen<string> = this.#changes.listen;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(instanceId: string, gauge: InstanceGauge): void {
    this.#gauges.set(instanceId, { gauge, at: this.#clock.now() });
    this.#changes.emit(instanceId);
  }

  /** How busy an instance is now; undefined when nobody has looked just now. */
  now(instanceId: string): InstanceGauge | undefined {
    const known = this.#gauges.get(instanceId);
    return known !== undefined && this.#clock.now() - known.at <= FRESH_MS ? known.gauge : undefined;
  }
}
