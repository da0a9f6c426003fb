import { Alert } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { appText } from '#strings/app.ts';

/** Says that the browser has no connection, as long as it has none. */
export function OfflineBar() {
  const isOnline = useSyncExternalStore(watch, () => navigator.onLine);
  return (
    <div role="status">
      {!isOnline && (
        <Alert color="yellow" variant="light" p="xs" mb="sm" className="console-warning">
          {appText.offline}
        </Alert>
      )}
    </div>
  );
}

function watch(onChange: () => void): () => void {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}
