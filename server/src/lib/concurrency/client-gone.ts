import type { ServerResponse } from 'node:http';
import { whenClosed } from './when-closed.ts';

/** Aborted when the client goes away before its answer. */
export const clientGone = (answer: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  whenClosed(answer, () => controller.abort('the client has its answer or is gone'));
  return controller.signal;
};
