import * as z from 'zod/mini';

/** What stood in the CLI's stdout: JSON, or why there is none. */
export type JsonAnswer =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * Finds the JSON in an answer. Warnings and prompts may stand before it (brev-cli.md part 3), so it begins at the
 * first line that starts like JSON, and ends at the last line that ends like it.
 */
export function readJson(stdout: string): JsonAnswer {
  const lines = stdout.split('\n');
  const first = lines.findIndex((line) => /^(?:[{[]|null\s*$)/.test(line));
  if (first < 0) {
    return { kind: 'unreadable', reason: stdout.trim() === '' ? 'no output' : 'no JSON in the output' };
  }
  const last = lines.findLastIndex((line) => /(?:[}\]]|null)\s*$/.test(line));
  const text = lines.slice(first, Math.max(first, last) + 1).join('\n');
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch (error) {
    return { kind: 'unreadable', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** The rows that are well formed, and how many were not: one bad row must not hide the others. */
export function readRows<T>(
  rows: readonly unknown[],
  schema: z.ZodMiniType<T>,
): { readonly rows: T[]; readonly bad: number } {
  const good: T[] = [];
  let bad = 0;
  for (const row of rows) {
    const parsed = z.safeParse(schema, row);
    if (parsed.success) {
      good.push(parsed.data);
    } else {
      bad++;
    }
  }
  return { rows: good, bad };
}
