import type { LogEvent } from './events.ts';

/** No image has as many layers. */
const MAX_LAYERS = 500;

/** Counts the layers of an image while it is pulled (tao.md part 3, sample 12). */
export class PullProgress {
  readonly #layers = new Set<string>();
  readonly #there = new Set<string>();

  /** What a line of docker's tells; undefined when it is no line of a pull. */
  read(text: string): LogEvent | undefined {
    const [, layer, state] =
      /([0-9a-f]{12}): (Pulling fs layer|Pull complete|Already exists)/.exec(text.slice(0, 200)) ?? [];
    if (layer !== undefined && this.#layers.size < MAX_LAYERS) {
      this.#layers.add(layer);
      if (state !== 'Pulling fs layer') {
        this.#there.add(layer);
      }
      return { kind: 'pull', layers: this.#layers.size, done: this.#there.size };
    }
    if (/Status: (?:Downloaded newer image|Image is up to date)/.test(text.slice(0, 200))) {
      return { kind: 'phase', phase: 'load' };
    }
    return /Pulling from |^Unable to find image '/.test(text.slice(0, 200))
      ? { kind: 'phase', phase: 'pull' }
      : undefined;
  }
}
