import type { ServerResponse } from 'node:http';

/** Calls back once an answer was sent or its client is gone, at once where that was before: `close` comes only once. */
export const whenClosed = (answer: ServerResponse, then: () => void): void => {
  if (answer.closed) then();
  else answer.once('close', then);
};
