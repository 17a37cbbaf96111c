import type { Message } from '../values/message.ts';
import { parseSpec } from './spec/specDocument.ts';

/** A text in a spec, with where it stands. */
export interface SpecScalar {
  readonly value: string;
  /** The keys that lead to it; an item of a list has its index. */
  readonly keyPath: readonly string[];
  /** From 1. */
  readonly line: number;
}

/** A spec as far as its texts go, or what keeps it from being read. */
export type SpecReading =
  | { readonly kind: 'read'; readonly scalars: readonly SpecScalar[] }
  | { readonly kind: 'unreadable'; readonly problem: Message; readonly line: number | undefined }
  /** Too large to be looked at: nothing is known about it. */
  | { readonly kind: 'tooLarge' };

/** Reads the texts of a spec's YAML, in the order of the file. Never throws for what the file holds. */
export async function readSpec(content: Uint8Array | string): Promise<SpecReading> {
  const parsing = await parseSpec(content);
  switch (parsing.kind) {
    case 'tooLarge':
      return parsing;
    case 'unreadable': {
      const [{ problem, place }] = parsing.faults;
      return { kind: 'unreadable', problem, line: place?.line };
    }
    case 'read':
      return {
        kind: 'read',
        scalars: parsing.document.entries.flatMap(({ value, keyPath, place }) =>
          typeof value === 'string' ? [{ value, keyPath, line: place.line }] : [],
        ),
      };
  }
}
