/** Stops listening. */
export type Unsubscribe = () => void;

/** The listening side of an emitter; has the shape that views expect, without importing vscode. */
export type Listen<T> = (listener: (value: T) => void) => Unsubscribe;

/** Tells listeners, in the order in which they came. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  readonly listen: Listen<T> = (listener) => {
    // wrapped, so that who listens twice is told twice
    const told = (value: T): void => listener(value);
    this.#listeners.add(told);
    return () => this.#listeners.delete(told);
  };

  emit(value: T): void {
    for (const listener of [...this.#listeners]) {
      if (this.#listeners.has(listener)) {
        this.#tell(listener, value);
      }
    }
  }

  /** A listener's fault is its own: neither the other listeners nor the one who tells suffer from it. */
  #tell(listener: (value: T) => void, value: T): void {
    try {
      listener(value);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
