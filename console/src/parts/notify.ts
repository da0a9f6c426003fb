import { describeProblem } from '../lib/problem.ts';
import { createStore } from '../lib/store.ts';
import type { Notice } from './notices.tsx';

const hasNotices = createStore(false);

/** Shows a short message in the corner: a good one for a few seconds, and a bad one until it is closed. */
export async function notify(notice: Notice): Promise<void> {
  const { showNotice } = await import('./notices.tsx');
  showNotice(notice);
  hasNotices.set(true);
}

/** Says in the corner what failed, with the id of the request. */
export function notifyProblem(error: unknown): void {
  const { message, requestId } = describeProblem(error);
  void notify({ message, tone: 'bad', requestId });
}

/** Returns whether there was a notice, so that the corner is needed. */
export function useHasNotices(): boolean {
  return hasNotices.useValue();
}
