import * as z from 'zod/mini';
import { s3Copy } from '../s3Copy.ts';

const leptonOutput = z.readonly(
  z.object({
    uri: z.string(),
    path: z.string(),
    kind: z.enum(['file', 'folder']),
    /** Where it goes when the program failed, if that is another place: half an output must not pass for one. */
    failedUri: z.optional(z.string()),
  }),
);

export type LeptonOutput = z.infer<typeof leptonOutput>;

/** What a job on Lepton needs beyond its work: where it runs and what it gets. It is kept with the job, so no secrets. */
export const leptonPlacement = z.readonly(
  z.object({
    /** The GPUs, cores and memory of one node by Lepton's name, such as `gpu.8xh100-80gb`. */
    resourceShape: z.string(),
    /** The dedicated node group by its id; undefined for wherever there is room. */
    nodeGroup: z.optional(z.string()),
    /** How many nodes work on it together. */
    nodes: z.number(),
    /** The image of a plain command; a spec names its own. */
    image: z.optional(z.string()),
    /** Registry logins that the workspace keeps, by their names. */
    imagePullSecrets: z.optional(z.readonly(z.array(z.string()))),
    /** The workspace's secret for an environment variable; a secret of the variable's own name where it isn't given. */
    secretNames: z.optional(z.readonly(z.record(z.string(), z.string()))),
    /** Environment variables that are no secrets. */
    environment: z.optional(z.readonly(z.record(z.string(), z.string()))),
    /** In MiB; data loaders need it. */
    sharedMemoryMib: z.optional(z.number()),
    /** How long the ended job, with its log, is kept by Lepton. */
    keepSeconds: z.optional(z.number()),
    /** Copied into the container before the program starts. */
    inputs: z.optional(z.readonly(z.array(s3Copy))),
    /** Copied to S3 when the program has ended, however it did: nothing else outlives the container. */
    outputs: z.optional(z.readonly(z.array(leptonOutput))),
  }),
);

export type LeptonPlacement = z.infer<typeof leptonPlacement>;
