import type { ServerResponse } from 'node:http';

/**
 * Calls back once a response was sent or its client is gone; at once if that has already happened, because `close` is emitted only once.
 */
export function whenClosed(answer: ServerResponse, then: () => void): void {
  if (answer.closed) then();
  else answer.once('close', then);
}
