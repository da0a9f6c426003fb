import { open } from 'node:fs/promises';

interface FolderSync {
  running: Promise<void> | null;
  waiting: Promise<void> | null;
}

const syncs = new Map<string, FolderSync>();

/**
 * Makes the names in a folder durable. Callers that arrive while an fsync of the folder runs share the next one. It must begin after their
 * own renames, but one is enough for all of them.
 */
export function syncFolder(folder: string): Promise<void> {
  const sync = syncs.get(folder) ?? { running: null, waiting: null };
  syncs.set(folder, sync);
  if (sync.waiting !== null) return sync.waiting;
  if (sync.running === null) return start(folder, sync);
  const next = () => start(folder, sync);
  sync.waiting = sync.running.then(next, next);
  return sync.waiting;
}

function start(folder: string, sync: FolderSync): Promise<void> {
  sync.waiting = null;
  const running = fsyncOnce(folder).finally(() => {
    // A waiting caller has scheduled its own turn on this promise, and then replaces `running`.
    if (sync.waiting === null) syncs.delete(folder);
    sync.running = null;
  });
  sync.running = running;
  return running;
}

async function fsyncOnce(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
