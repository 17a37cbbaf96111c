import * as z from 'zod/mini';

/** Where the SDK runs a job (tao.md part 1): what it calls backend_details. */
const details = z.object({
  instance_id: z.optional(z.string()),
  pid: z.optional(z.string()),
  container_id: z.optional(z.string()),
  launch_uncertain: z.optional(z.boolean()),
});

/** A line of the bridge: an answer, or the news that the SDK has a job's id. */
export const bridgeLine = z.union([
  z.object({ id: z.number(), event: z.literal('registered'), job: z.string() }),
  z.object({ id: z.number(), error: z.object({ kind: z.string(), message: z.string() }) }),
  z.object({ id: z.number(), result: z.unknown() }),
]);

/** Which interpreter runs the bridge, and the SDK's version; null where it has none. */
export const versions = z.object({
  python: z.string(),
  executable: z.string(),
  sdk: z.nullable(z.string()),
});

export const createdJob = z.union([
  z.object({ job: z.string(), known: z.literal(true) }),
  z.object({ job: z.string(), known: z.literal(false), results: z.string(), details }),
]);

/** What a status, a cancel and its confirmation have in common: the SDK's word for how the job is. */
export const jobState = z.object({ job: z.string(), status: z.string() });

export const jobLog = z.object({ log: z.string() });

const jobRow = z.object({
  job_id: z.string(),
  status: z.string(),
  image: z.string(),
  results_dir: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});

export const jobEntry = z.extend(jobRow, { details });

export const jobList = z.object({ jobs: z.array(jobRow) });

export const entrypoint = z.object({ command: z.string() });
