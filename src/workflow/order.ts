/** As much of a step as its place among the others needs. */
export interface Needing {
  readonly name: string;
  readonly needs: readonly string[];
}

/** The names in a circle of needs, in its order; undefined when there is none. */
export function circleOf(steps: readonly Needing[]): readonly string[] | undefined {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const done = new Set<string>();
  const visit = (name: string, way: readonly string[]): readonly string[] | undefined => {
    const at = way.indexOf(name);
    if (at >= 0) {
      return way.slice(at);
    }
    if (done.has(name)) {
      return undefined;
    }
    for (const need of byName.get(name)?.needs ?? []) {
      const circle = visit(need, [...way, name]);
      if (circle !== undefined) {
        return circle;
      }
    }
    done.add(name);
    return undefined;
  };
  for (const { name } of steps) {
    const circle = visit(name, []);
    if (circle !== undefined) {
      return circle;
    }
  }
  return undefined;
}

/** A step and all that come after it because of it. */
export function withFollowers(steps: readonly Needing[], first: string): ReadonlySet<string> {
  const found = new Set([first]);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { name, needs } of steps) {
      if (needs.some((need) => found.has(need))) {
        found.add(name);
      }
    }
  }
  return found;
}

/** These steps and all that must be done before them. */
export function withNeeds(steps: readonly Needing[], wanted: Iterable<string>): ReadonlySet<string> {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (!found.has(name)) {
      found.add(name);
      for (const need of byName.get(name)?.needs ?? []) {
        visit(need);
      }
    }
  };
  for (const name of wanted) {
    visit(name);
  }
  return found;
}

/** In which column each step stands in a graph: after all that it needs. Only for plans without circles. */
export function columnsOf(steps: readonly Needing[]): ReadonlyMap<string, number> {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const columns = new Map<string, number>();
  const columnOf = (name: string): number => {
    const known = columns.get(name);
    if (known !== undefined) {
      return known;
    }
    const column = Math.max(-1, ...(byName.get(name)?.needs ?? []).map(columnOf)) + 1;
    columns.set(name, column);
    return column;
  };
  for (const { name } of steps) {
    columnOf(name);
  }
  return columns;
}
