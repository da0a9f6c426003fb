import { type ReactNode, useSyncExternalStore } from 'react';
import type { NoticeAction } from './notices.tsx';

interface Notice {
  message: ReactNode;
  tone?: 'good' | 'bad';
  action?: NoticeAction;
  /** The id of the request that failed, which the notice offers to copy. */
  requestId?: string | null;
}

const watchers = new Set<() => void>();
let hasNotices = false;

/** Shows a short message in the corner: a good one for a few seconds, and a bad one until it is closed. */
export async function notify({ message, tone = 'good', action, requestId = null }: Notice): Promise<void> {
  const { showNotice } = await import('./notices.tsx');
  showNotice({ message, tone, action, requestId });
  hasNotices = true;
  for (const watcher of watchers) watcher();
}

/** Returns whether there was a notice, so that the corner is needed. */
export function useHasNotices(): boolean {
  return useSyncExternalStore(watch, () => hasNotices);
}

function watch(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}
