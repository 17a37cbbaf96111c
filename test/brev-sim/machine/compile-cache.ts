import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// NODE_COMPILE_CACHE, where it is set, caches the entry point too; this one is for callers that don't set it.
if (process.env.NODE_COMPILE_CACHE === undefined) {
  const folder = join(import.meta.dirname, '../../../.cache/brev-sim');
  enableCompileCache(folder);
  process.env.NODE_COMPILE_CACHE = folder;
}
