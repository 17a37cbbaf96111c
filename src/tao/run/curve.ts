/** A curve's points, ready to be drawn: x rises. */
export interface CurvePoints {
  readonly name: string;
  /** `step`: drawn at each step; `epoch`: measured now and then. */
  readonly kind: 'step' | 'epoch';
  /** In epochs: 2.5 is the middle of the third. */
  readonly x: readonly number[];
  /** NaN and infinities stand for what the log shows as such. */
  readonly y: readonly number[];
}

/** Enough for any screen, and even: halving keeps the last point then. */
const CAPACITY = 2000;

/**
 * A curve of bounded size: when it is full, every second point goes, and from then on only every second, fourth, …
 * point is kept. The newest is always there.
 */
export class Curve {
  readonly #x: number[] = [];
  readonly #y: number[] = [];
  readonly #capacity: number;
  #stride = 1;
  #seen = 0;
  /** The last point is there only because it is the newest. */
  #isTailExtra = false;

  constructor(capacity = CAPACITY) {
    this.#capacity = capacity - (capacity % 2);
  }

  get x(): readonly number[] {
    return this.#x;
  }

  get y(): readonly number[] {
    return this.#y;
  }

  /** Adds a point; one at the same place replaces it, and one before it is a run begun again: what lay behind goes. */
  add(x: number, y: number): void {
    const xs = this.#x;
    const ys = this.#y;
    while (xs.length > 0 && (xs.at(-1) ?? 0) > x) {
      xs.pop();
      ys.pop();
      this.#isTailExtra = false;
    }
    if (xs.length > 0 && xs.at(-1) === x) {
      ys[ys.length - 1] = y;
      return;
    }
    if (this.#isTailExtra) {
      xs.pop();
      ys.pop();
    }
    xs.push(x);
    ys.push(y);
    this.#isTailExtra = this.#seen++ % this.#stride !== 0;
    if (xs.length > this.#capacity) {
      this.#halve();
    }
  }

  #halve(): void {
    const length = Math.ceil(this.#x.length / 2);
    for (let index = 0; index < length; index++) {
      this.#x[index] = this.#x[index * 2] ?? 0;
      this.#y[index] = this.#y[index * 2] ?? 0;
    }
    this.#x.length = length;
    this.#y.length = length;
    this.#stride *= 2;
  }
}
