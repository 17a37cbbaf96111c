import path from 'node:path';
import type { JobResults } from '../results.ts';
import { RESULTS_PATH } from './container.ts';

/** What results.sh tells. */
export type ResultsListing = Pick<JobResults, 'files' | 'links' | 'unusable' | 'whole'>;

/** Reads results.sh's answer; undefined when it isn't one. */
export function readListing(stdout: string, jobId: string, limit: number): ResultsListing | undefined {
  const bytes = Buffer.from(stdout.trim(), 'base64');
  const fields = fieldsOf(bytes);
  const files: { path: string; bytes: number; modified: number }[] = [];
  const links: { path: string; target: string | undefined }[] = [];
  const unusable: { path: string; reason: 'unreadable' | 'special' | 'name' }[] = [];
  for (let at = 0; at < fields.length; at += 3) {
    const [head, name, target] = [fields[at], fields[at + 1], fields[at + 2]].map((field) => field ?? '');
    const [, kind = '', size = '', time = ''] = /^(\S+) (\d+) (-?[\d.]+)$/.exec(head ?? '') ?? [];
    if (head === 'end') {
      return { files, links, unusable, whole: true };
    }
    if (at / 3 >= limit) {
      return { files, links, unusable, whole: false };
    }
    switch (kind) {
      case 'f':
        files.push({ path: name ?? '', bytes: Number(size), modified: Math.round(Number(time) * 1_000) });
        break;
    }
  }
  return undefined;
}
