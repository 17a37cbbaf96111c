import { Curve, type CurvePoints } from './curve.ts';

/** More than any network shows. */
const MAX_CURVES = 64;
const OF_VALIDATION = /^(?:val|test|eval)(?:_|\/|$)/;
const OF_EPOCHS = /^(?:val|test|eval)(?:_|\/|$)|_epoch$/;

interface Entry {
  readonly curve: Curve;
  /** Measured now and then, not at each step. */
  readonly isOfEpochs: boolean;
  last: number | undefined;
}

/** The curves of one source by the names of their figures. */
export class Curves {
  readonly #entries = new Map<string, Entry>();

  /** Adds what was measured at a place, in epochs. */
  add(name: string, x: number, value: number): void {
    this.#entry(name)?.curve.add(x, value);
  }

  /**
   * Adds what a bar shows: it goes on showing an epoch's figure until there is a new one, so only a change counts. Two
   * epochs may end with the same figure of the training, though: at an epoch's end it counts as new when another one is.
   */
  addShown(metrics: readonly { readonly name: string; readonly value: number }[], x: number): void {
    const isEnd = Number.isInteger(x) && metrics.some((metric) => this.#isNewOfEpoch(metric));
    for (const { name, value } of metrics) {
      const entry = this.#entry(name);
      if (
        entry !== undefined &&
        (!entry.isOfEpochs || !Object.is(entry.last, value) || (isEnd && !OF_VALIDATION.test(name)))
      ) {
        entry.last = value;
        entry.curve.add(x, value);
      }
    }
  }

  #isNewOfEpoch({ name, value }: { readonly name: string; readonly value: number }): boolean {
    const entry = this.#entry(name);
    return entry?.isOfEpochs === true && !Object.is(entry.last, value);
  }

  names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  points(name: string): CurvePoints | undefined {
    const entry = this.#entries.get(name);
    return entry === undefined
      ? undefined
      : { name, kind: entry.isOfEpochs ? 'epoch' : 'step', x: [...entry.curve.x], y: [...entry.curve.y] };
  }

  #entry(name: string): Entry | undefined {
    let entry = this.#entries.get(name);
    if (entry === undefined && this.#entries.size < MAX_CURVES) {
      entry = { curve: new Curve(), isOfEpochs: OF_EPOCHS.test(name), last: undefined };
      this.#entries.set(name, entry);
    }
    return entry;
  }
}
