import { lazy, Suspense, useEffect } from 'react';
import { useHasNotices } from './notify.ts';

const loadNotices = () => import('./notices.tsx');
const Notices = lazy(async () => ({ default: (await loadNotices()).Notices }));

const idleMs = 3_000;

/** The place of notices. It is there once for all pages. What shows them is loaded a moment after the page, so that it is there offline. */
export function NoticeCorner() {
  useEffect(() => {
    const timer = setTimeout(() => void loadNotices().catch(() => undefined), idleMs);
    return () => clearTimeout(timer);
  }, []);
  return useHasNotices() ? (
    <Suspense>
      <Notices />
    </Suspense>
  ) : null;
}
