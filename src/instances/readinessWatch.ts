import { Emitter, type Listen } from '../values/emitter.ts';
import type { Instance } from './instance.ts';
import {
  type Readiness,
  type ReadinessOptions,
  type ReadinessProgress,
  waitUntilReady,
} from './readiness.ts';

/** Where one instance is on its way to being ready. */
export type ReadinessState =
  | {
      readonly kind: 'waiting';
      readonly id: string;
      readonly progress: ReadinessProgress | undefined;
      readonly since: number;
    }
  | {
      readonly kind: 'ended';
      readonly id: string;
      readonly readiness: Readiness;
      readonly requested: boolean;
    };

/** Watches all instances that are on their way up, each once. */
export class ReadinessWatch {
  readonly #options: ReadinessOptions;
  readonly #changes = new Emitter<ReadinessState>();
  readonly #states = new Map<string, ReadinessState>();
  readonly #waits = new Map<string, { readonly abort: AbortController; requested: boolean }>();
  readonly #unsubscribe: () => void;
  #disposed = false;

  readonly onChange: Listen<ReadinessState> = this.#changes.listen;

  constructor(options: ReadinessOptions) {
    this.#options = options;
    this.#unsubscribe = options.store.onChange((change) => {
      for (const instance of [...change.added, ...change.changed.map((each) => each.after)]) {
        if (instance.status === 'deploying' || instance.status === 'starting') {
          this.watch(instance.id, false);
        }
      }
      for (const instance of change.removed) {
        this.#states.delete(instance.id);
      }
      for (const { after } of change.changed) {
        // a verdict holds only as long as the machine stays on
        if (
          after.status !== 'running' &&
          after.status !== 'unhealthy' &&
          this.state(after.id)?.kind === 'ended'
        ) {
          this.#states.delete(after.id);
        }
      }
    });
  }

  state(id: string): ReadinessState | undefined {
    return this.#states.get(id);
  }

  /** Whether a probe has succeeded since the instance was last seen to come up. */
  isReady(instance: Instance): boolean {
    const state = this.#states.get(instance.id);
    return state?.kind === 'ended' && state.readiness.kind === 'ready';
  }

  /** Begins to watch; `requested` says that the user waits for it, so that the end is worth a notification. */
  watch(id: string, requested: boolean): void {
    const running = this.#waits.get(id);
    if (running !== undefined) {
      running.requested ||= requested;
      return;
    }
    const wait = { abort: new AbortController(), requested };
    this.#waits.set(id, wait);
    const since = this.#options.clock.now();
    this.#set({ kind: 'waiting', id, progress: undefined, since });
    void waitUntilReady(
      this.#options,
      id,
      (progress) => this.#set({ kind: 'waiting', id, progress, since }),
      wait.abort.signal,
    ).then((readiness) => {
      this.#waits.delete(id);
      this.#set({ kind: 'ended', id, readiness, requested: wait.requested });
    });
  }

  stop(id: string): void {
    this.#waits.get(id)?.abort.abort();
  }

  dispose(): void {
    this.#disposed = true;
    this.#unsubscribe();
    for (const wait of this.#waits.values()) {
      wait.abort.abort();
    }
  }

  #set(state: ReadinessState): void {
    if (this.#disposed) {
      return;
    }
    this.#states.set(state.id, state);
    this.#changes.emit(state);
  }
}
