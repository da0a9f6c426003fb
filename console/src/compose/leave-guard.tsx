import { lazy, Suspense, useEffect } from 'react';
import { useBlocker } from 'react-router';

const loadDialog = () => import('./leave-dialog.tsx');
const LeaveDialog = lazy(async () => ({ default: (await loadDialog()).LeaveDialog }));

/** Asks before the page is left with text that could not be saved. The dialog is loaded with the page, so that it is there offline. */
export function LeaveGuard({ isUnsaved }: { isUnsaved: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => void loadDialog().catch(() => undefined), []);
  return (
    <Suspense>
      {blocker.state === 'blocked' && (
        <LeaveDialog onStay={() => blocker.reset?.()} onLeave={() => blocker.proceed?.()} />
      )}
    </Suspense>
  );
}
