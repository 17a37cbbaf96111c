import { Curve, type CurvePoints } from './curve.ts';

/** More than any network shows. */
const MAX_CURVES = 64;
const OF_EPOCHS = /^(?:val|test|eval)(?:_|\/|$)|_epoch$/;

/** Whether a figure is measured now and then, not at each step. */
export function isOfEpochs(name: string): boolean {
  return OF_EPOCHS.test(name);
}

/** The curves of one source by the names of their figures. */
export class Curves {
  readonly #curves = new Map<string, Curve>();
  readonly #last = new Map<string, number>();

  /** Adds a figure at a place, in epochs. */
  add(name: string, x: number, value: number): void {
    let curve = this.#curves.get(name);
    if (curve === undefined) {
      if (this.#curves.size >= MAX_CURVES) {
        return;
      }
      curve = new Curve();
      this.#curves.set(name, curve);
    }
    curve.add(x, value);
  }

  /** The same for what a bar goes on showing until there is a new value: only a change is a measurement. */
  addWhenChanged(name: string, x: number, value: number): void {
    const last = this.#last.get(name);
    if (last === undefined || !Object.is(last, value)) {
      this.#last.set(name, value);
      this.add(name, x, value);
    }
  }

  names(): readonly string[] {
    return [...this.#curves.keys()];
  }

  points(name: string): CurvePoints | undefined {
    const curve = this.#curves.get(name);
    return curve === undefined
      ? undefined
      : { name, kind: isOfEpochs(name) ? 'epoch' : 'step', x: [...curve.x], y: [...curve.y] };
  }
}
