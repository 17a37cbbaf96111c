export interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
}

/** A promise that somebody else resolves. */
export function deferred<T>(): Deferred<T> {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle(value) };
}
