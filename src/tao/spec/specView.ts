import { byKey, withReferences } from '../specReferences.ts';
import type { SpecScalar } from '../specScalars.ts';
import type { SpecDocument, SpecEntry } from './specDocument.ts';

/** A spec's values by their dotted keys, references put in. */
export class SpecView {
  readonly entries: readonly SpecEntry[];
  readonly #byKey: ReadonlyMap<string, SpecEntry>;
  readonly #texts: ReadonlyMap<string, string>;

  constructor(document: SpecDocument) {
    this.entries = document.entries;
    this.#byKey = new Map(document.entries.map((entry) => [entry.keyPath.join('.'), entry]));
    this.#texts = new Map([
      ...byKey(this.scalars),
      ...document.entries.flatMap(({ keyPath, kind, value }) =>
        kind === 'number' ? [[keyPath.join('.'), String(value)] as const] : [],
      ),
    ]);
  }

  /** The texts, as the readers of paths want them. */
  get scalars(): readonly SpecScalar[] {
    return this.entries.flatMap(({ value, keyPath, place }) =>
      typeof value === 'string' ? [{ value, keyPath, line: place.line }] : [],
    );
  }

  entry(key: string): SpecEntry | undefined {
    return this.#byKey.get(key);
  }

  /** The number under a key; undefined when there is none, or only the run knows it. */
  number(key: string): number | undefined {
    const entry = this.#byKey.get(key);
    if (typeof entry?.value === 'number') {
      return entry.value;
    }
    const text = typeof entry?.value === 'string' ? this.#resolved(entry) : undefined;
    return text !== undefined && /^\s*-?\d{1,9}\s*$/.test(text) ? Number(text) : undefined;
  }

  /** The text under a key; undefined when there is none, or only the run knows it. */
  text(key: string): string | undefined {
    const entry = this.#byKey.get(key);
    return typeof entry?.value === 'string' ? this.#resolved(entry) : undefined;
  }

  /** The numbers of a list; undefined when it is none. */
  numbers(key: string): readonly number[] | undefined {
    if (this.#byKey.get(key)?.kind !== 'list') {
      return undefined;
    }
    const numbers: number[] = [];
    for (let index = 0; ; index++) {
      const value = this.#byKey.get(`${key}.${index}`)?.value;
      if (typeof value !== 'number') {
        return numbers;
      }
      numbers.push(value);
    }
  }

  #resolved({ value, keyPath, place }: SpecEntry): string | undefined {
    return withReferences({ value: String(value), keyPath, line: place.line }, this.#texts);
  }
}

/** The section of a spec that an action reads: retrain goes by `train`, segment_evaluate by `evaluate`. */
export function sectionOf(action: string): string {
  return action === 'retrain' ? 'train' : action.replace(/^segment_/, '');
}
