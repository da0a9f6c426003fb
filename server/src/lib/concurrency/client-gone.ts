import type { ServerResponse } from 'node:http';

/**
 * Calls back once a response was sent or its client has disconnected; at once if that has already happened, because `close` is emitted only
 * once.
 */
export function whenClosed(answer: ServerResponse, then: () => void): void {
  if (answer.closed) then();
  else answer.once('close', then);
}

/** Returns a signal that is aborted once the client has its response or has disconnected. */
export function clientGone(answer: ServerResponse): AbortSignal {
  const controller = new AbortController();
  whenClosed(answer, () => controller.abort('the client has its answer or is gone'));
  return controller.signal;
}
