import { type ReactNode, useSyncExternalStore } from 'react';
import type { NoticeAction } from './notices.tsx';

interface Notice {
  message: ReactNode;
  tone?: 'good' | 'bad';
  action?: NoticeAction;
}

const watchers = new Set<() => void>();
let hasNotices = false;

/** Shows a short message in the corner for a few seconds. What shows it is loaded with the first message. */
export async function notify({ message, tone = 'good', action }: Notice): Promise<void> {
  const { showNotice } = await import('./notices.tsx');
  showNotice(message, tone === 'good' ? 'pine' : 'red', action);
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
