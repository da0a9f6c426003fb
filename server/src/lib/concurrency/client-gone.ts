import type { ServerResponse } from 'node:http';
import { whenClosed } from './when-closed.ts';

/** Returns a signal that is aborted once the client has its response or is gone. */
export function clientGone(answer: ServerResponse): AbortSignal {
  const controller = new AbortController();
  whenClosed(answer, () => controller.abort('the client has its answer or is gone'));
  return controller.signal;
}
