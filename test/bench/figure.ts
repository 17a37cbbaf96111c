/** One figure of a benchmark; `ratio` is value by peer in the same run, and a goal is a limit for it or for the value. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly peer: number | null;
  readonly ratio: number | null;
  readonly goal: string | null;
  readonly met: boolean | null;
}

/** A figure against its peer: the goal, such as `<= 1.3`, is for their ratio. */
export function compared(name: string, unit: string, value: number, peer: number, goal?: string): Figure {
  const ratio = value / peer;
  return {
    name,
    unit,
    value: round(value),
    peer: round(peer),
    ratio: round(ratio),
    goal: goal ?? null,
    met: met(ratio, goal),
  };
}

/** A figure without a peer: the goal is for the value itself. */
export function alone(name: string, unit: string, value: number, goal?: string): Figure {
  return {
    name,
    unit,
    value: round(value),
    peer: null,
    ratio: null,
    goal: goal ?? null,
    met: met(value, goal),
  };
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

function met(value: number, goal: string | undefined): boolean | null {
  const [, sign, limit] = /^(<=|>=) ([\d.]+)$/.exec(goal ?? '') ?? [];
  if (limit === undefined) {
    return null;
  }
  return sign === '<=' ? value <= Number(limit) : value >= Number(limit);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
