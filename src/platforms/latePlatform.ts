import type { Platform, PlatformId } from './platform.ts';

/** A platform whose code is read when it is first used. */
export class LatePlatform implements Platform {
  readonly id: PlatformId;
  readonly #load: () => Promise<Platform>;

  constructor(id: PlatformId, load: () => Promise<Platform>) {
    this.id = id;
    this.#load = load;
  }

  async submit(job: Parameters<Platform['submit']>[0]): ReturnType<Platform['submit']> {
    return (await this.#load()).submit(job);
  }

  async follow(...args: Parameters<Platform['follow']>): ReturnType<Platform['follow']> {
    return (await this.#load()).follow(...args);
  }

  async cancel(...args: Parameters<Platform['cancel']>): ReturnType<Platform['cancel']> {
    return (await this.#load()).cancel(...args);
  }

  async results(...args: Parameters<Platform['results']>): ReturnType<Platform['results']> {
    return (await this.#load()).results(...args);
  }
}
