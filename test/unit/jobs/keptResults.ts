import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { ResultsSource } from '../../../src/jobs/results.ts';
import type { JobResults, ResultPart, SentPart } from '../../../src/platforms/results.ts';
import { cancelled, failed, type Outcome, ok } from '../../../src/values/outcome.ts';

/** A job that left its results in a folder here; tests play its faults. */
export class KeptResults {
  readonly folder: string;
  /** What is told beside what is in the folder. */
  told: Partial<Pick<JobResults, 'files' | 'links' | 'unusable' | 'whole'>> = {};
  /** The files that were transferred, and those whose sums were asked for. */
  readonly downloaded: string[] = [];
  readonly compared: string[] = [];
  /** Called with the number of each listing, before it is made. */
  onList: (count: number) => void = () => undefined;
  /** Called before a file is transferred; what it returns is the outcome. */
  onDownload: (name: string, onBytes: (chunk: Uint8Array) => void) => Outcome<number> | undefined = () =>
    undefined;
  onSend: (parts: readonly ResultPart[]) => Promise<Outcome<readonly SentPart[]>> = async (parts) =>
    ok(parts.map(() => ({ kind: 'sent', etag: '"x"' })));
  #lists = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  leave(files: Readonly<Record<string, string | Uint8Array>>): void {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(this.folder, name)), { recursive: true });
      writeFileSync(path.join(this.folder, name), content);
    }
  }

  link(name: string, target: string): void {
    symlinkSync(target, path.join(this.folder, name));
  }

  list: ResultsSource['list'] = async (signal) => {
    if (signal.aborted) return cancelled;
    this.onList(++this.#lists);
    const found = namesIn(this.folder).map((name) => ({
      path: name,
      entry: lstatSync(path.join(this.folder, name)),
    }));
    return ok({
      files: found
        .filter(({ entry }) => entry.isFile())
        .map(({ path: name, entry }) => ({
          path: name,
          bytes: entry.size,
          modified: Math.round(entry.mtimeMs),
        })),
      links: found
        .filter(({ entry }) => entry.isSymbolicLink())
        .map(({ path: name }) => {
          const raw = readlinkSync(path.join(this.folder, name));
          const target = path.join(path.dirname(name), raw);
          return { path: name, target: path.isAbsolute(raw) || target.startsWith('..') ? undefined : target };
        }),
      unusable: [],
      whole: true,
      ...this.told,
      sums: async (files) => {
        this.compared.push(...files.map((file) => file.path));
        return ok(
          files.map((file) =>
            createHash('sha256')
              .update(readFileSync(path.join(this.folder, file.path)))
              .digest('hex'),
          ),
        );
      },
      download: async (name, onBytes, options) => {
        const played = this.onDownload(name, onBytes);
        if (played !== undefined) return played;
        if (options.signal.aborted) return cancelled;
        const content = readFileSync(path.join(this.folder, name));
        onBytes(content);
        this.downloaded.push(name);
        return ok(content.length);
      },
      send: (parts) => this.onSend(parts),
    });
  };
}

/** Node's own recursion goes behind links. */
export function namesIn(folder: string, prefix = ''): string[] {
  return readdirSync(path.join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(prefix, entry.name);
    return entry.isDirectory() ? [name, ...namesIn(folder, name)] : [name];
  });
}

export const unreachable: Outcome<never> = failed({
  kind: 'unreachable',
  message: { template: 'the connection broke', args: [] },
  retrySafe: true,
});
