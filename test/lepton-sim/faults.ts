/** What goes wrong with calls whose `METHOD /path` matches. The path is below the workspace's base, without query. */
export interface Fault {
  readonly on: RegExp;
  /** How many calls it hits; for ever where it isn't given. */
  readonly times?: number;
  readonly what:
    | { readonly kind: 'status'; readonly status: number; readonly body?: string }
    /** Does it, and then answers with a status all the same. */
    | { readonly kind: 'doneButStatus'; readonly status: number }
    /** Does it, and then resets the connection. */
    | { readonly kind: 'doneButReset' }
    | { readonly kind: 'hang' }
    | { readonly kind: 'slow'; readonly ms: number }
    | { readonly kind: 'reset' }
    | { readonly kind: 'invalidJson' }
    | { readonly kind: 'redirect'; readonly to: string }
    /** A log stream that is cut after some bytes: by a reset, or as if it were its end. */
    | { readonly kind: 'drop'; readonly afterBytes: number; readonly clean?: boolean }
    /** A log stream that lacks its first bytes, as after a rotation. */
    | { readonly kind: 'rotated'; readonly firstBytes: number };
}

export class Faults {
  #faults: { fault: Fault; left: number }[] = [];

  /** Replaces all faults. */
  set(faults: readonly Fault[]): void {
    this.#faults = faults.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }));
  }

  /** The fault that hits this call. */
  next(method: string, path: string): Fault['what'] | undefined {
    const hit = this.#faults.find(({ fault, left }) => left > 0 && fault.on.test(`${method} ${path}`));
    if (hit === undefined) return undefined;
    hit.left--;
    return hit.fault.what;
  }
}
