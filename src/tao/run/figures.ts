import type { Metric } from '../log/events.ts';
import type { Trouble } from '../log/trouble.ts';

/** More than any network shows. */
const MAX_FIGURES = 128;

/** The newest value of each figure, and which losses are no numbers any more. */
export class Figures {
  readonly #latest = new Map<string, number>();
  readonly #losses = new Set<string>();
  /** With mixed precision one step may be NaN, and the next isn't: then it was nothing. */
  readonly #broken = new Map<string, number | undefined>();

  get latest(): ReadonlyMap<string, number> {
    return this.#latest;
  }

  set({ name, value }: Metric, epoch: number | undefined): void {
    if (!this.#latest.has(name)) {
      if (this.#latest.size >= MAX_FIGURES) {
        return;
      }
      if (/loss/i.test(name)) {
        this.#losses.add(name);
      }
    }
    this.#latest.set(name, value);
    if (!this.#losses.has(name)) {
      return;
    }
    if (Number.isFinite(value)) {
      this.#broken.delete(name);
    } else if (!this.#broken.has(name)) {
      this.#broken.set(name, epoch);
    }
  }

  /** The loss that broke first. */
  get trouble(): Trouble | undefined {
    for (const [metric, epoch] of this.#broken) {
      return { kind: 'nanLoss', metric, epoch };
    }
    return undefined;
  }
}
