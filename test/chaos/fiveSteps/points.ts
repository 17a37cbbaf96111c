/** How many milliseconds into a thing that takes a while there is a point too, by how often it was done before. */
export type Within = (before: number) => readonly number[];

/** Where a process is to die: at whichever of these points it comes to first, or at its so-maniest point. */
export interface Death {
  readonly points: readonly string[];
  readonly count?: number;
}

/**
 * Names the points of a process's life, which are before, within and after each thing that it does outside of itself,
 * and when it sees something; and ends it at one of them. They are counted within a stage of the plan, so that a name is
 * the same in each life that comes to that stage.
 */
export class Points {
  readonly #death: Death;
  readonly #tell: (point: string) => void;
  readonly #times = new Map<string, number>();
  #stage = 'begun';
  #count = 0;

  constructor(death: Death, tell: (point: string) => void) {
    this.#death = death;
    this.#tell = tell;
  }

  set stage(stage: string) {
    this.#stage = stage;
    this.#times.clear();
  }

  seen(what: string): void {
    this.#point(this.#numbered(what).name, 'seen');
  }

  async around<T>(what: string, within: Within, action: () => Promise<T>): Promise<T> {
    const { name, times } = this.#numbered(what);
    this.#point(name, 'before');
    const timers = within(times).map((ms) => setTimeout(() => this.#point(name, `${ms} ms into`), ms));
    try {
      return await action();
    } finally {
      for (const timer of timers) clearTimeout(timer);
      // where it was faster than in the life that the point is from, this is as near as it gets
      const missed = this.#death.points.find((point) => point.endsWith(` ms into ${name}`));
      if (missed !== undefined) this.#die(missed);
      this.#point(name, 'after');
    }
  }

  #numbered(what: string): { readonly name: string; readonly times: number } {
    const times = this.#times.get(what) ?? 0;
    this.#times.set(what, times + 1);
    return { name: `${what} #${times + 1} (${this.#stage})`, times };
  }

  #point(name: string, when: string): void {
    const point = `${when} ${name}`;
    this.#count++;
    if (this.#death.points.includes(point) || this.#death.count === this.#count) this.#die(point);
    this.#tell(point);
  }

  /** As the system ends it: not one instruction more. */
  #die(point: string): void {
    this.#tell(point);
    process.kill(process.pid, 'SIGKILL');
  }
}
