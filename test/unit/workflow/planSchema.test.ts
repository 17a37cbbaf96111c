import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import * as z from 'zod/mini';
import { planInFile } from '../../../src/workflow/planFile.ts';
import { repositoryRoot } from '../../support/paths.ts';

const described = z.record(z.string(), z.looseObject({ description: z.optional(z.string()) }));
const object = z.object({
  properties: described,
  required: z.optional(z.array(z.string())),
  additionalProperties: z.optional(z.unknown()),
});

const schema = z.parse(
  z.object({ definitions: z.record(z.string(), z.unknown()) }),
  JSON.parse(readFileSync(path.join(repositoryRoot, 'media/plan.schema.json'), 'utf8')),
);
const plan = z.parse(object, schema.definitions.plan);
const step = z.parse(object, schema.definitions.step);
const readPlan = z.parse(object, z.toJSONSchema(planInFile, { target: 'draft-7' }));
const readStep = z.parse(object, readPlan.properties.steps?.items);

const LIMITS = ['pattern', 'enum', 'const', 'minimum', 'maximum', 'minItems', 'maxItems', 'minLength'];

/** What limits a value, however it is put together. */
function limitsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    const target = key === '$ref' ? schema.definitions[String(each).split('/').at(-1) ?? ''] : undefined;
    return target !== undefined
      ? limitsOf(target)
      : LIMITS.includes(key)
        ? [`${key} ${JSON.stringify(each)}`]
        : limitsOf(each);
  });
}

describe('the JSON schema of plans', () => {
  it('has the keys that the extension reads, and says of each what it means', () => {
    assert.deepEqual(new Set(Object.keys(plan.properties)), new Set(Object.keys(readPlan.properties)));
    assert.deepEqual(new Set(Object.keys(step.properties)), new Set(Object.keys(readStep.properties)));
    assert.deepEqual([plan.required, step.required], [readPlan.required, readStep.required]);
    assert.deepEqual([plan.additionalProperties, step.additionalProperties], [false, false]);
    for (const [name, { description = '' }] of Object.entries(step.properties)) {
      assert.ok(description.length > 10, name);
    }
  });

  it('sets the same limits', () => {
    for (const key of Object.keys(step.properties)) {
      // what is a path in S3 is judged with more words by the extension itself
      const ours = limitsOf(step.properties[key]).filter((limit) => limit !== 'pattern "^s3://"');
      assert.deepEqual(new Set(ours), new Set(limitsOf(readStep.properties[key])), key);
    }
  });
});
