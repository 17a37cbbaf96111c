import * as z from 'zod/mini';
import type { CatalogueAction, CatalogueFile } from './catalogue.ts';

const file = z.object({
  type: z.catch(z.string(), 'file'),
  optional: z.optional(z.catch(z.boolean(), false)),
});
const action = z.object({
  command: z.string(),
  inputs: z.optional(z.nullable(z.record(z.string(), file))),
  outputs: z.optional(z.nullable(z.record(z.string(), file))),
});
const skillInfo = z.object({
  network_arch: z.string(),
  actions: z.record(z.string(), action),
});

/** What a skill_info.yaml says, without the images, which need its comments. */
export interface SkillInfo {
  readonly arch: string;
  readonly actions: readonly Omit<CatalogueAction, 'imageKey'>[];
}

/** Reads a skill_info.yaml's values; undefined when they aren't what they should be. */
export function parseSkillInfo(value: unknown): SkillInfo | undefined {
  const parsed = z.safeParse(skillInfo, value);
  if (!parsed.success || Object.keys(parsed.data.actions).length === 0) {
    return undefined;
  }
  return {
    arch: parsed.data.network_arch,
    actions: Object.entries(parsed.data.actions).map(([name, { command, inputs, outputs }]) => ({
      name,
      command,
      inputs: toFiles(inputs),
      outputs: toFiles(outputs),
    })),
  };
}

function toFiles(
  files: Readonly<Record<string, z.infer<typeof file>>> | null | undefined,
): readonly CatalogueFile[] {
  return Object.entries(files ?? {}).map(([key, { type, optional }]) => ({
    key: key.replace(/\[(\d+)\]/g, '.$1'),
    type,
    isOptional: optional === true,
  }));
}
