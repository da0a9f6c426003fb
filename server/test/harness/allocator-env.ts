/** What `npm start` has the allocator of the system do (`scripts/bootstrap/server-env.mjs`), for servers that are measured. */
export const allocatorEnv = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };
