const storageName = 'console-reloaded-at';
const againMs = 60_000;

/**
 * Reloads the page, unless that was tried a minute ago or the browser is offline. After an update of the server, the code that an open page
 * asks for is gone, and the reloaded page asks for the new one.
 */
export function reloadOnce(): void {
  if (!navigator.onLine) return;
  try {
    const last = Number(sessionStorage.getItem(storageName) ?? 0);
    if (Date.now() - last < againMs) return;
    sessionStorage.setItem(storageName, String(Date.now()));
  } catch {
    // Without storage there is no way to know, and a page that reloads for ever is worse than a button.
    return;
  }
  location.reload();
}
