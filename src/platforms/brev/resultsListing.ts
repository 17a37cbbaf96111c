import path from 'node:path';
import type { JobResults, ResultFile, ResultLink, UnusableResult } from '../results.ts';
import { RESULTS_PATH } from './container.ts';

/** What results.sh tells. */
export type ResultsListing = Pick<JobResults, 'files' | 'links' | 'unusable' | 'whole'>;

/** Reads the answer of results.sh that was asked for so many entries; undefined when a part of it is missing. */
export function readListing(stdout: string, jobId: string, limit: number): ResultsListing | undefined {
  const files: ResultFile[] = [];
  const links: ResultLink[] = [];
  const unusable: UnusableResult[] = [];
  const fields = splitFields(Buffer.from(stdout.trim(), 'base64'));
  for (let at = 0; at < fields.length; at += 3) {
    const [head, name, target] = fields.slice(at, at + 3).map(decode);
    if (head?.text === 'end') {
      return { files, links, unusable, whole: true };
    }
    if (at === 3 * limit) {
      return { files, links, unusable, whole: false };
    }
    const entry = /^(\S+) (\d+) (-?[\d.]+)$/.exec(head?.text ?? '');
    if (entry === null || name === undefined || target === undefined) {
      return undefined;
    }
    const [, kind, bytes, seconds] = entry;
    const where = name.text === '' ? '.' : name.text;
    if (kind === 'unreadable') {
      unusable.push({ path: where, reason: 'unreadable' });
    } else if (!name.exact) {
      unusable.push({ path: where, reason: 'name' });
    } else if (kind === 'f' && name.text !== '') {
      files.push({ path: where, bytes: Number(bytes), modified: Math.round(Number(seconds) * 1_000) });
    } else if (kind === 'l' && name.text !== '') {
      links.push({ path: where, target: target.exact ? within(where, target.text, jobId) : undefined });
    } else {
      unusable.push({ path: where, reason: 'special' });
    }
  }
  return undefined;
}

/** What a link stands for, as a path in the results; programs write the container's own paths, too. */
function within(link: string, target: string, jobId: string): string | undefined {
  const relative = target.startsWith('/')
    ? (below(target, `${RESULTS_PATH}/`) ?? afterwards(target, `/.brev-jobs/${jobId}/results/`))
    : path.posix.join(path.posix.dirname(link), target);
  const inside = relative === undefined ? '..' : path.posix.normalize(relative);
  return /^\.\.(?:\/|$)/.test(inside) || inside.startsWith('/') ? undefined : inside;
}

function below(target: string, root: string): string | undefined {
  return target.startsWith(root) ? target.slice(root.length) : undefined;
}

function afterwards(target: string, root: string): string | undefined {
  const index = target.indexOf(root);
  return index < 0 ? undefined : target.slice(index + root.length);
}

function splitFields(bytes: Buffer): readonly Buffer[] {
  const fields: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0, start);
    if (end < 0) {
      break;
    }
    fields.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return fields;
}

/** A name may hold any byte; one that is no text can be shown, but not asked for. */
function decode(bytes: Buffer): { readonly text: string; readonly exact: boolean } {
  const text = bytes.toString('utf8');
  return { text, exact: Buffer.from(text).equals(bytes) };
}
