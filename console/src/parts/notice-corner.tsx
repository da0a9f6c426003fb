import { lazy, Suspense } from 'react';
import { useHasNotices } from './notify.ts';

const Notices = lazy(async () => ({ default: (await import('./notices.tsx')).Notices }));

/** The place of notices. It is there once for all pages, and loads nothing before the first notice. */
export function NoticeCorner() {
  return useHasNotices() ? (
    <Suspense>
      <Notices />
    </Suspense>
  ) : null;
}
