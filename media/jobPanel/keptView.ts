/** How the user looks at the curves; by name, so that it holds when more of them come. */
export interface View {
  /** The curves that are hidden. */
  hidden: readonly string[];
  /** The part of the x axis that each chart shows, where that isn't all. */
  zoom: Readonly<Record<string, readonly [number, number]>>;
}

/** What an earlier page has kept of it; whatever doesn't fit, such as an older version's, counts for nothing. */
export function keptView(state: unknown): View {
  const hidden = member(state, 'hidden');
  const zoom = member(state, 'zoom');
  return {
    hidden: Array.isArray(hidden) ? hidden.filter((name) => typeof name === 'string') : [],
    zoom: Object.fromEntries(
      Object.entries(typeof zoom === 'object' && zoom !== null ? zoom : {}).flatMap(([key, range]) =>
        isRange(range) ? [[key, range]] : [],
      ),
    ),
  };
}

function isRange(value: unknown): value is readonly [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every((end) => typeof end === 'number');
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
