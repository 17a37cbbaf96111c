import * as z from 'zod/mini';

/** The states of a job in its record. */
export const jobStates = ['PENDING', 'RUNNING', 'COMPLETE', 'ERROR', 'CANCELED', 'UNKNOWN'] as const;
export type JobState = (typeof jobStates)[number];
export type TerminalState = 'COMPLETE' | 'ERROR' | 'CANCELED';
export type ErrorClass = 'ERR_INFRA' | 'ERR_PROGRAM';

const transition = z.object({
  ts: z.string(),
  state: z.enum(jobStates),
  message: z._default(z.string(), ''),
  source: z.enum(['agent', 'poller', 'backend-hook']),
});

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** A job record in the skill bank's schema (tao.md part 2); no other keys are allowed in it. */
export const jobRecord = z.object({
  schema_version: z.literal(1),
  id: z.string().check(z.regex(ID)),
  platform: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,31}$/)),
  backend_ref: z.nullable(z.string()),
  image: z.string(),
  network_arch: z.string(),
  action: z.string(),
  results_dir: z.string(),
  storage_tier: z.enum(['A', 'B', 'C']),
  submitted_at: z.string(),
  transitions: z.array(transition).check(z.minLength(1)),
  terminal_state: z.nullable(z.enum(['COMPLETE', 'ERROR', 'CANCELED'])),
  redacted: z.literal(true),
  upload_excludes: z.optional(z.array(z.string())),
  terminal_write_by: z.optional(z.nullable(z.enum(['agent', 'poller', 'backend-hook']))),
  err_class: z.optional(z.nullable(z.enum(['ERR_INFRA', 'ERR_PROGRAM']))),
  retry_of: z.optional(z.nullable(z.string())),
  parent_job: z.optional(z.nullable(z.string())),
});

export type JobRecord = z.infer<typeof jobRecord>;

export function isJobId(id: string): boolean {
  return ID.test(id);
}

/** The last state that was written. */
export function currentState(record: JobRecord): JobState {
  return record.terminal_state ?? record.transitions.at(-1)?.state ?? 'UNKNOWN';
}

/** The last words that were written. */
export function currentMessage(record: JobRecord): string {
  return record.transitions.at(-1)?.message ?? '';
}
