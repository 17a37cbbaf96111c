import * as z from 'zod/mini';
import { platformIds } from '../platforms/platform.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const DURATION = /^(?=.*[1-9])(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?$/;

const name = z.string().check(z.regex(NAME));
const paths = z.union([z.string(), z.record(z.string(), z.string())]);

/** A step as it stands in a file. media/plan.schema.json tells editors the same; a test compares the two. */
export const stepInFile = z.strictObject({
  name: z.optional(name),
  skill: z.optional(z.string().check(z.minLength(1))),
  action: z.optional(z.string().check(z.minLength(1))),
  platform: z.enum(platformIds),
  needs: z.optional(z.union([name, z.array(name)])),
  command: z.optional(z.string().check(z.regex(/\S/))),
  spec: z.optional(z.string().check(z.minLength(1))),
  image: z.optional(z.string().check(z.regex(/^[^\s-][^\s]*$/))),
  gpus: z.optional(z.union([z.literal('all'), z.int().check(z.gte(0), z.lte(64))])),
  nodes: z.optional(z.int().check(z.gte(1), z.lte(1000))),
  instance: z.optional(
    z.union([
      z.string().check(z.minLength(1)),
      z.strictObject({ new: z.union([z.string(), z.array(z.string()).check(z.minLength(1))]) }),
      z.strictObject({ of: name }),
    ]),
  ),
  shape: z.optional(z.string().check(z.minLength(1))),
  nodeGroup: z.optional(z.string().check(z.minLength(1))),
  inputs: z.optional(z.record(z.string(), z.string())),
  outputs: z.optional(paths),
  pullSecrets: z.optional(z.array(z.string().check(z.minLength(1)))),
  env: z.optional(z.array(z.string().check(z.regex(VARIABLE)))),
  timeout: z.optional(z.string().check(z.regex(DURATION))),
  retries: z.optional(z.int().check(z.gte(0), z.lte(10))),
  skipIfOutputExists: z.optional(z.boolean()),
});

export type StepInFile = z.infer<typeof stepInFile>;

const steps = z.array(stepInFile).check(z.minLength(1), z.maxLength(200));

export const planInFile = z.strictObject({
  $schema: z.optional(z.string()),
  name: z.optional(z.string().check(z.minLength(1))),
  results: z.optional(z.string()),
  skipIfOutputExists: z.optional(z.boolean()),
  steps,
});

export type PlanInFile = z.infer<typeof planInFile>;

const UNITS_MS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const;

/** `1h30m` in milliseconds. */
export function durationMs(text: string): number {
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)([dhms])/g)) {
    total += Number(count) * (unit === 'd' || unit === 'h' || unit === 'm' ? UNITS_MS[unit] : UNITS_MS.s);
  }
  return total;
}
