import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { errorCode } from '../../process/errorCode.ts';

/** How much of a replica's output is in the local log. */
export interface ReplicaPosition {
  readonly bytes: number;
  /** SHA-256 of these bytes, to be sure that another reading of them is the same text. */
  readonly sha256: string;
}

const saved = z.object({
  version: z.literal(1),
  /** Where the piece begins in the local log. */
  at: z.number(),
  /** The piece that was about to be added, in base64. */
  piece: z.string(),
  /** The positions once the piece is in. */
  replicas: z.record(z.string(), z.object({ bytes: z.number(), sha256: z.string() })),
});

export type CursorReading =
  | {
      readonly kind: 'ok';
      readonly replicas: ReadonlyMap<string, ReplicaPosition>;
      readonly rest: Uint8Array;
    }
  /** There is none that belongs to a log of this length. */
  | { readonly kind: 'none' };

/**
 * Which parts of the replicas' outputs the local log is made of. Lepton has no log with offsets, so this is kept here.
 * It is written before the log is, with the piece itself: whenever the process dies, the log's length says how much
 * of the piece arrived, and nothing is lost or doubled.
 */
export class LogCursor {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** The positions for a local log of this length, and what of the last piece it still lacks. */
  read(logSize: number): CursorReading {
    const text = readIfThere(this.#file);
    const parsed = text === undefined ? undefined : z.safeParse(saved, parseJson(text));
    if (parsed === undefined || !parsed.success) {
      return { kind: 'none' };
    }
    const { at, piece, replicas } = parsed.data;
    const bytes = Buffer.from(piece, 'base64');
    return logSize < at || logSize > at + bytes.length
      ? { kind: 'none' }
      : { kind: 'ok', replicas: new Map(Object.entries(replicas)), rest: bytes.subarray(logSize - at) };
  }

  /** To be called right before the piece is added to the log at this place. */
  write(at: number, piece: Uint8Array, replicas: ReadonlyMap<string, ReplicaPosition>): void {
    mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    const fresh = `${this.#file}.new`;
    const content: z.infer<typeof saved> = {
      version: 1,
      at,
      piece: Buffer.from(piece).toString('base64'),
      replicas: Object.fromEntries(replicas),
    };
    writeFileSync(fresh, JSON.stringify(content), { mode: 0o600 });
    renameSync(fresh, this.#file);
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}
