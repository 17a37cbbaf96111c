/** Does the work for each item, a few at a time; the results are in the order of the items. */
export async function inParallel<T, U>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<U>,
): Promise<readonly U[]> {
  const results = new Map<number, U>();
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    // all workers draw from the one iterator
    for (const [index, item] of rest) {
      results.set(index, await work(item));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
