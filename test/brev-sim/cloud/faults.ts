import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { withLock } from './lock.ts';
import { writeAtomic } from './state.ts';

const sshState = z.enum(['refused', 'timeout', 'unresolvable', 'key-rejected', 'banner-hang', 'kex-closed']);

const effects = [
  z.object({
    kind: z.literal('error'),
    stderr: z.optional(z.string()),
    stdout: z.optional(z.string()),
    exitCode: z.optional(z.number()),
  }),
  z.object({
    kind: z.literal('hang'),
    stdout: z.optional(z.string()),
    stderr: z.optional(z.string()),
    spinner: z.optional(z.string()),
  }),
  z.object({ kind: z.literal('delay'), ms: z.number() }),
  z.object({ kind: z.literal('blank'), exitCode: z.optional(z.number()) }),
  z.object({ kind: z.literal('panic'), message: z.string() }),
  z.object({ kind: z.literal('truncate'), bytes: z.optional(z.number()) }),
  z.object({ kind: z.literal('surround'), before: z.optional(z.string()), after: z.optional(z.string()) }),
  z.object({ kind: z.literal('drop'), afterBytes: z.number() }),
  z.object({ kind: z.literal('ssh'), state: sshState }),
  z.object({ kind: z.literal('create-lost') }),
  z.object({ kind: z.literal('create-pending') }),
  z.object({ kind: z.literal('never-ready') }),
  z.object({ kind: z.literal('machine-failure'), message: z.optional(z.string()) }),
  z.object({
    kind: z.literal('no-capacity'),
    types: z.optional(z.array(z.string())),
    /** So many machines of one create are still to be had. */
    after: z.optional(z.number()),
  }),
  z.object({ kind: z.literal('name-taken') }),
  z.object({ kind: z.literal('delete-lingers'), lists: z.number() }),
  z.object({ kind: z.literal('not-stoppable') }),
  z.object({ kind: z.literal('html') }),
  z.object({ kind: z.literal('types-down') }),
  z.object({ kind: z.literal('nodes-down') }),
  z.object({ kind: z.literal('org-gone') }),
  z.object({
    kind: z.literal('http'),
    status: z.number(),
    /** The message of a JSON answer, … */
    message: z.optional(z.string()),
    /** … or the text of any other, which the CLI shows after the URL. */
    body: z.optional(z.string()),
  }),
  z.object({ kind: z.literal('rejected'), message: z.string() }),
  z.object({ kind: z.literal('offline') }),
  z.object({ kind: z.literal('token-expired'), refreshable: z.boolean() }),
  z.object({ kind: z.literal('token-http'), status: z.number(), body: z.optional(z.string()) }),
  z.object({ kind: z.literal('torn-credentials') }),
  z.object({ kind: z.literal('torn-ssh-config') }),
  z.object({ kind: z.literal('no-cloudflared') }),
  z.object({ kind: z.literal('analytics-outage'), ms: z.optional(z.number()) }),
] as const;

const match = z.object({
  /** Subcommand, by its main name; left out or '*': any. */
  command: z.optional(z.string()),
  /** Only calls with this word among their arguments. */
  arg: z.optional(z.string()),
  /** The first matching call that it hits (1 = the next one). */
  nth: z.optional(z.number()),
  /** How many matching calls it hits from there; 1 if left out. */
  count: z.optional(z.union([z.number(), z.literal('always')])),
});

const faultSchema = z.intersection(match, z.discriminatedUnion('kind', [...effects]));
const faultList = z.array(faultSchema);

/** What goes wrong, and in which calls. README.md has the table. */
export type Fault = z.infer<typeof faultSchema>;
export type FaultKind = Fault['kind'];
export type FaultOf<K extends FaultKind> = Extract<Fault, { kind: K }>;

/** Replaces the scenario file; counting starts again. */
export function writeScenario(root: string, faults: Fault[]): void {
  withLock(root, () => {
    writeAtomic(join(root, 'scenario.json'), JSON.stringify(faultList.parse(faults), null, 1));
    writeAtomic(join(root, 'scenario-hits.json'), '{}');
  });
}

/** The faults that hit this call, counting it. Several processes share the count. */
export function takeFaults(root: string, text: string, command: string, args: string[]): Fault[] {
  const faults = faultList.parse(JSON.parse(text));
  const matching = faults.flatMap((fault, index) =>
    matches(fault, command, args) ? [{ fault, index }] : [],
  );
  if (matching.length === 0) return [];
  return withLock(root, () => {
    const path = join(root, 'scenario-hits.json');
    const hits: Record<string, number> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
    const taken: Fault[] = [];
    for (const { fault, index } of matching) {
      const key = `${index}:${JSON.stringify(fault)}`;
      const seen = (hits[key] ?? 0) + 1;
      hits[key] = seen;
      const first = fault.nth ?? 1;
      const last = fault.count === 'always' ? Number.POSITIVE_INFINITY : first + (fault.count ?? 1) - 1;
      if (seen >= first && seen <= last) taken.push(fault);
    }
    writeAtomic(path, JSON.stringify(hits));
    return taken;
  });
}

function matches(fault: Fault, command: string, args: string[]): boolean {
  const wanted = fault.command ?? '*';
  if (wanted !== '*' && wanted !== command) return false;
  return fault.arg === undefined || args.includes(fault.arg);
}
