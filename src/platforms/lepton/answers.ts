import * as z from 'zod/mini';

const metadata = z.object({
  id: z.optional(z.nullable(z.string())),
  name: z.optional(z.nullable(z.string())),
  created_at: z.optional(z.nullable(z.number())),
  labels: z.optional(z.nullable(z.record(z.string(), z.string()))),
});

/** A job as the service tells it. Only what is used is looked at, and all but the id may be missing. */
const job = z.object({
  metadata,
  spec: z.optional(
    z.nullable(
      z.object({
        completions: z.optional(z.nullable(z.number())),
        stopped: z.optional(z.nullable(z.boolean())),
      }),
    ),
  ),
  status: z.optional(
    z.nullable(
      z.object({
        state: z.optional(z.nullable(z.string())),
        failed: z.optional(z.nullable(z.number())),
        succeeded: z.optional(z.nullable(z.number())),
      }),
    ),
  ),
});

const named = z.object({ metadata });

const maybe = <T extends z.core.$ZodType>(schema: T) => z.optional(z.nullable(schema));

const shape = z.object({
  metadata,
  spec: maybe(
    z.object({
      name: maybe(z.string()),
      listable_in: maybe(z.array(z.string())),
      cpu: maybe(z.number()),
      memory_in_mb: maybe(z.number()),
      accelerator_type: maybe(z.string()),
      accelerator_num: maybe(z.number()),
    }),
  ),
});

const node = z.object({
  metadata,
  spec: maybe(
    z.object({
      unschedulable: maybe(z.boolean()),
      resource: maybe(
        z.object({
          gpu: maybe(z.object({ total: maybe(z.number()), allocated: maybe(z.number()) })),
        }),
      ),
    }),
  ),
});

const event = z.object({
  type: z.optional(z.nullable(z.string())),
  reason: z.optional(z.nullable(z.string())),
  message: z.optional(z.nullable(z.string())),
  count: z.optional(z.nullable(z.number())),
});

const secret = z.object({ name: z.string() });

const history = z.object({
  data: z.object({
    result: z.nullable(
      z.array(
        z.object({
          stream: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
          // [nanoseconds, line] and sometimes a third thing
          values: z.array(z.tuple([z.string(), z.string()], z.unknown())),
        }),
      ),
    ),
  }),
});

/** The rows of a list that comes bare, under a name, or as null where it is empty; undefined when it is none. */
export function rowsOf(body: unknown, key: string): readonly unknown[] | undefined {
  const named = z.safeParse(z.record(z.string(), z.unknown()), body);
  const list = named.success ? named.data[key] : body;
  return list === null ? [] : Array.isArray(list) ? list : undefined;
}

/** The rows that can be read. */
export function readable<T extends z.core.$ZodType>(
  rows: readonly unknown[],
  schema: T,
): readonly z.output<T>[] {
  return rows.flatMap((row) => {
    const parsed = z.safeParse(schema, row);
    return parsed.success ? [parsed.data] : [];
  });
}

export const answers = { job, named, shape, node, event, secret, history };
