import { vi } from 'vitest';

/**
 * Makes the waits of a test end when this controller does and not by the clock, which on a slow machine may come before what the test waits
 * for.
 */
export function deadlineByHand(): AbortController {
  const deadline = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
  return deadline;
}
