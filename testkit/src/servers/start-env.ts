import { availableParallelism } from 'node:os';

/** The variables that `npm start` adds to the environment (`scripts/bootstrap/server-env.mjs`), for servers that are measured. */
export const startEnv = {
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  NODE_OPTIONS: `--v8-pool-size=${Math.min(4, availableParallelism())}`,
};
