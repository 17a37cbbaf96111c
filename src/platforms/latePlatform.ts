import { failed, type Outcome } from '../values/outcome.ts';
import { notAdoptable } from './notAdoptable.ts';
import type { JobTarget, Platform, PlatformId } from './platform.ts';

/** A platform whose code is read when it is first used. */
export class LatePlatform implements Platform {
  readonly id: PlatformId;
  readonly #load: () => Promise<Platform>;
  #platform: Promise<Platform> | undefined;

  constructor(id: PlatformId, load: () => Promise<Platform>) {
    this.id = id;
    this.#load = load;
  }

  async submit(job: Parameters<Platform['submit']>[0]): ReturnType<Platform['submit']> {
    return (await this.#loaded()).submit(job);
  }

  async follow(...args: Parameters<Platform['follow']>): ReturnType<Platform['follow']> {
    return (await this.#loaded()).follow(...args);
  }

  async adopt(target: JobTarget, container: string, signal: AbortSignal): Promise<Outcome<void>> {
    const platform = await this.#load();
    return platform.adopt === undefined
      ? failed(notAdoptable(target))
      : platform.adopt(target, container, signal);
  }

  async cancel(...args: Parameters<Platform['cancel']>): ReturnType<Platform['cancel']> {
    return (await this.#loaded()).cancel(...args);
  }

  async results(...args: Parameters<Platform['results']>): ReturnType<Platform['results']> {
    return (await this.#loaded()).results(...args);
  }

  #loaded(): Promise<Platform> {
    this.#platform ??= this.#load();
    return this.#platform;
  }
}
