import path from 'node:path';

/** The top of this repository. */
export const repositoryRoot = path.resolve(import.meta.dirname, '../..');

/** Git-ignored, kept between runs. */
export const cacheRoot = path.join(repositoryRoot, '.cache');
