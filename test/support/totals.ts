/** How many tests ended how. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const noTests: Totals = { passed: 0, failed: 0, skipped: 0 };

/** The sum of two runs. */
export function add(a: Totals, b: Totals): Totals {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** The line that every run of tests here closes with. */
export function totalsLine({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** The totals in such a line, if it is one. */
export function parseTotalsLine(line: string): Totals | undefined {
  const found = /^(\d+) passed, (\d+) failed, (\d+) skipped$/.exec(line);
  if (!found) return undefined;
  return { passed: Number(found[1]), failed: Number(found[2]), skipped: Number(found[3]) };
}
