import * as z from 'zod/mini';
import { type Instance, isOn } from './instance.ts';
import type { InstanceStore } from './store.ts';

/** What outlives the window; a Memento of VS Code is one. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const KEY = 'instances.seenOn';
const times = z.record(z.string(), z.number());

/**
 * Since when each instance is known to be on: when it was first seen so, by any window, and not seen stopped since.
 * What happened while nobody looked isn't known.
 */
export class SeenOn {
  readonly #memory: Memory;
  readonly #unsubscribe: () => void;

  constructor(store: Pick<InstanceStore, 'instances' | 'listing' | 'onChange'>, memory: Memory) {
    this.#memory = memory;
    this.#unsubscribe = store.onChange(({ removed }) => {
      // a failed list says nothing new, and forgetting an account ends nothing that runs there
      if (store.listing.kind === 'listed') {
        this.#note(store.instances, removed, store.listing.at);
      }
    });
  }

  /** Milliseconds since the epoch; undefined for what hasn't been seen on. */
  since(instanceId: string): number | undefined {
    return this.#times()[instanceId];
  }

  dispose(): void {
    this.#unsubscribe();
  }

  #note(instances: readonly Instance[], removed: readonly Instance[], at: number): void {
    const before = this.#times();
    const now = { ...before };
    for (const { id } of [...removed, ...instances.filter(({ status }) => status === 'stopped')]) {
      delete now[id];
    }
    for (const instance of instances) {
      // a state in between, or one that the CLI can't tell, ends no billing
      if (isOn(instance)) {
        now[instance.id] ??= at;
      }
    }
    if (JSON.stringify(now) !== JSON.stringify(before)) {
      void this.#memory.update(KEY, now);
    }
  }

  #times(): Readonly<Record<string, number>> {
    const kept = z.safeParse(times, this.#memory.get(KEY));
    return kept.success ? kept.data : {};
  }
}
