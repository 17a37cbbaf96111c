import * as z from 'zod/mini';

/** A file or folder in S3 and its path in the container, as it is kept with a job. */
export const s3Copy = z.readonly(
  z.object({ uri: z.string(), path: z.string(), kind: z.enum(['file', 'folder']) }),
);
