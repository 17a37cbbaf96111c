import { createHash, type Hash } from 'node:crypto';
import type { ReplicaPosition } from './logCursor.ts';

/** What a reading of a replica's output brought: bytes that aren't known yet, or another text than the known one. */
export type Fresh = { readonly kind: 'bytes'; readonly bytes: Uint8Array } | { readonly kind: 'otherText' };

/** Up to where a replica's output is delivered. Every reading of it begins at its start, and is checked against that. */
export class ReplicaProgress {
  #bytes: number;
  #sha256: string;
  /** The running hash of what is delivered; undefined until a reading has come that far. */
  #hash: Hash | undefined;

  constructor(known: ReplicaPosition | undefined) {
    this.#bytes = known?.bytes ?? 0;
    this.#sha256 = known?.sha256 ?? '';
    this.#hash = this.#bytes === 0 ? createHash('sha256') : undefined;
  }

  get position(): ReplicaPosition {
    return { bytes: this.#bytes, sha256: this.#sha256 };
  }

  /** A reading from the start on. */
  read(): Reading {
    return new Reading(this.#bytes, this.#sha256, (hash) => {
      this.#hash ??= hash;
    });
  }

  /** These bytes, which come right after the known ones, are delivered now. */
  advance(bytes: Uint8Array): ReplicaPosition {
    if (this.#hash === undefined) {
      throw new Error('a replica cannot advance before a reading has come up to what is known');
    }
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    this.#sha256 = this.#hash.copy().digest('hex');
    return this.position;
  }

  /** Forgets what is known: the replica's output is another one now. */
  restart(): void {
    this.#bytes = 0;
    this.#sha256 = '';
    this.#hash = createHash('sha256');
  }
}

/** One reading of a replica's output from its start on. */
export class Reading {
  readonly #known: number;
  readonly #sha256: string;
  readonly #onKnown: (hash: Hash) => void;
  readonly #hash = createHash('sha256');
  #seen = 0;

  constructor(known: number, sha256: string, onKnown: (hash: Hash) => void) {
    this.#known = known;
    this.#sha256 = sha256;
    this.#onKnown = onKnown;
  }

  push(chunk: Uint8Array): Fresh {
    const old = chunk.subarray(0, Math.max(0, this.#known - this.#seen));
    this.#seen += chunk.length;
    if (old.length > 0) {
      this.#hash.update(old);
      if (this.#seen >= this.#known) {
        // an empty digest is a position of unknown text: a local log without its cursor
        if (this.#sha256 !== '' && this.#hash.copy().digest('hex') !== this.#sha256) {
          return { kind: 'otherText' };
        }
        this.#onKnown(this.#hash.copy());
      }
    }
    return { kind: 'bytes', bytes: chunk.subarray(old.length) };
  }
}
