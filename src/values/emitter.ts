/** Stops listening. */
export type Unsubscribe = () => void;

/** The listening side of an emitter; has the shape that views expect, without importing vscode. */
export type Listen<T> = (listener: (value: T) => void) => Unsubscribe;

/** Tells listeners, in the order in which they came. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  readonly listen: Listen<T> = (listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  emit(value: T): void {
    for (const listener of [...this.#listeners]) {
      listener(value);
    }
  }
}
