import * as z from 'zod/mini';

/** What stood in the CLI's stdout: JSON, or why there is none. */
export type JsonAnswer =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** A page of HTML or a log has many lines that begin with a bracket; JSON has few lines of noise before it. */
const MAX_TRIES = 10;

/**
 * Finds the JSON in an answer: the first value that begins a line and is whole. Warnings, log lines and prompts may
 * stand before it (brev-cli.md part 3), and advice after it.
 */
export function readJson(stdout: string): JsonAnswer {
  if (stdout.trim() === '') {
    return { kind: 'unreadable', reason: 'no output' };
  }
  let reason = 'no JSON in the output';
  let tries = 0;
  for (const { index, 0: found } of stdout.matchAll(/^(?:[{[]|null\s*$)/gm)) {
    if (found.startsWith('null')) {
      return { kind: 'json', value: null };
    }
    const end = endOfValue(stdout, index);
    try {
      if (end !== undefined) {
        return { kind: 'json', value: JSON.parse(stdout.slice(index, end)) };
      }
      reason = 'the JSON is cut off';
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
    tries++;
    if (tries === MAX_TRIES) {
      break;
    }
  }
  return { kind: 'unreadable', reason };
}

/** Where the value that begins at `start` ends: at the bracket that closes its first one. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  const token = /["{}[\]]/g;
  const string = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y;
  token.lastIndex = start;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0] === '"') {
      string.lastIndex = match.index;
      if (!string.test(text)) {
        return undefined;
      }
      token.lastIndex = string.lastIndex;
    } else if (match[0] === '{' || match[0] === '[') {
      depth++;
    } else {
      depth--;
      if (depth === 0) {
        return match.index + 1;
      }
    }
  }
  return undefined;
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
