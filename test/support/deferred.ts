/** A promise with its two ends apart. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/** Promise.withResolvers, which the compiler's library doesn't have at VS Code 1.105's level. */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = unset;
  let reject: (reason: unknown) => void = unset;
  const promise = new Promise<T>((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  return { promise, resolve, reject };
}

function unset(): never {
  throw new Error('A promise runs its executor at once');
}
