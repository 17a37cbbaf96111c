/** How many milliseconds into a thing that takes a while there are points too, by how often it was done before. */
export type Within = (before: number) => readonly number[];

/** Where a process is to die: at a point of this name, or at its so-maniest. */
export type Death = string | number | undefined;

/**
 * Numbers the points of a process's life, which are before, within and after each thing that it does outside of itself,
 * and when it sees something; and ends it at one of them. A name is the same in each life that comes to that point.
 */
export class Points {
  readonly #death: Death;
  readonly #tell: (point: string) => void;
  readonly #times = new Map<string, number>();
  #count = 0;

  constructor(death: Death, tell: (point: string) => void) {
    this.#death = death;
    this.#tell = tell;
  }

  seen(what: string): void {
    this.#point(`seen ${this.#numbered(what)}`);
  }

  async around<T>(what: string, within: Within, action: () => Promise<T>): Promise<T> {
    const name = this.#numbered(what);
    this.#point(`before ${name}`);
    const moments = within((this.#times.get(what) ?? 1) - 1);
    const timers = moments.map((ms) => setTimeout(() => this.#point(`within ${name} after ${ms} ms`), ms));
    try {
      return await action();
    } finally {
      for (const timer of timers) clearTimeout(timer);
      // where it was faster than in the life that the name is from, this is as near as it gets
      if (typeof this.#death === 'string' && this.#death.startsWith(`within ${name} `)) this.#die();
      this.#point(`after ${name}`);
    }
  }

  #numbered(what: string): string {
    const times = (this.#times.get(what) ?? 0) + 1;
    this.#times.set(what, times);
    return `${what} #${times}`;
  }

  #point(point: string): void {
    this.#count++;
    this.#tell(point);
    if (this.#death === point || this.#death === this.#count) this.#die();
  }

  /** As the system ends it: not one instruction more. */
  #die(): void {
    process.kill(process.pid, 'SIGKILL');
  }
}
