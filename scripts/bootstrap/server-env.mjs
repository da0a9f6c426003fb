import { availableParallelism } from 'node:os';

/**
 * Has the allocator of glibc give memory back. It raises these thresholds by itself after the first large buffers and then keeps what
 * they took: under a flood of large mail a server had 0.9 GB with its defaults and 0.6 GB with these. Other systems pass them over.
 */
export const allocatorEnv = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * Node starts four threads that help its garbage collector and compiler. With fewer processors they take them from the thread that
 * answers requests: under a flood of large mail, the slowest hundredth of requests took 57 to 118 ms with four and 43 to 71 ms with two.
 */
export const nodeOptions = [`--v8-pool-size=${Math.min(4, availableParallelism())}`];
