import * as z from 'zod/mini';

const text = z.string();

const row = z.strictObject({
  name: text,
  id: text,
  status: text,
  build_status: text,
  shell_status: text,
  health_status: text,
  instance_type: text,
  instance_kind: text,
  gpu: text,
  // Of the TAO dialect; dialect.test.ts says that the public CLI has it not.
  workspaceGroupId: z.optional(text),
});

/** Rows of `ls --json`, refusing any field more or less than the contract lists; [] for null. */
export function parseRows(stdout: string): z.infer<typeof row>[] {
  const { workspaces } = z.strictObject({ workspaces: z.nullable(z.array(row)) }).parse(JSON.parse(stdout));
  return workspaces ?? [];
}

const offer = z.strictObject({
  type: text,
  cloud: text,
  provider: text,
  gpu_name: text,
  gpu_count: z.number(),
  vram_per_gpu_gb: z.number(),
  total_vram_gb: z.number(),
  capability: z.number(),
  vcpus: z.number(),
  memory: text,
  ram_gb: z.number(),
  arch: text,
  disk_min_gb: z.number(),
  disk_max_gb: z.number(),
  disk_price_per_gb_mo: z.optional(z.number()),
  boot_time_seconds: z.number(),
  stoppable: z.boolean(),
  rebootable: z.boolean(),
  flex_ports: z.boolean(),
  target_disk_gb: z.optional(z.number()),
  price_per_hour: z.number(),
});

/** Elements of `search --json`, strict as well. */
export function parseOffers(stdout: string): z.infer<typeof offer>[] {
  return z.array(offer).parse(JSON.parse(stdout));
}

const org = z.strictObject({ name: text, id: text, is_active: z.boolean() });

export function parseOrgs(stdout: string): z.infer<typeof org>[] {
  return z.array(org).parse(JSON.parse(stdout));
}
