import { availableParallelism } from 'node:os';

/**
 * Has the allocator of glibc return memory. It raises these thresholds by itself after the first large buffers and then keeps what
 * they took: under a flood of large mail a server had 0.9 GB with its defaults and 0.6 GB with a fixed threshold. Buffers of bodies
 * stay below it, since the system has to fill every page of a fresh one: a copy of 5 MB took 20 ms with a threshold of 128 KB and 6 ms
 * with this one. Other systems ignore both.
 */
export const allocatorEnv = { MALLOC_MMAP_THRESHOLD_: '8388608', MALLOC_TRIM_THRESHOLD_: '16777216' };

/**
 * Node starts four threads that help its garbage collector and compiler. With fewer processors they take them from the thread that
 * answers requests: under a flood of large mail, the slowest hundredth of requests took 57 to 118 ms with four and 43 to 71 ms with two.
 */
export const nodeOptions = [`--v8-pool-size=${Math.min(4, availableParallelism())}`];
