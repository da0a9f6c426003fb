/**
 * Has the allocator of glibc give memory back. It raises these thresholds by itself after the first large buffers and then keeps what
 * they took: under a flood of large mail a server had 0.9 GB with its defaults and 0.6 GB with these. Other systems pass them over.
 */
export const allocatorEnv = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };
