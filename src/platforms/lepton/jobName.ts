import { createHash } from 'node:crypto';

/** Lepton's rule for the names of jobs (tao.md part 4). */
const LONGEST = 36;
const RULE = /^[a-z][a-z0-9-]*$/;

export function isLeptonName(name: string): boolean {
  return RULE.test(name) && name.length <= LONGEST && !name.endsWith('-') && !name.endsWith('by-lepton');
}

/** The name of a job on Lepton. It follows from our id alone, so that a job whose creation broke off can be found. */
export function leptonJobName(jobId: string): string {
  if (isLeptonName(jobId)) {
    return jobId;
  }
  const hash = createHash('sha256').update(jobId).digest('hex').slice(0, 8);
  const words = jobId
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '');
  const start = words.slice(0, LONGEST - hash.length - 1).replace(/-+$/, '');
  return start === '' ? `job-${hash}` : `${start}-${hash}`;
}
