const storageName = (workspaceId: string) => `console-last-sender-${workspaceId}`;

/** Returns the inbox from which the person last sent in a workspace with this browser; null if none is known. */
export function lastSender(workspaceId: string): string | null {
  try {
    return localStorage.getItem(storageName(workspaceId));
  } catch {
    return null;
  }
}

/** Keeps the inbox from which the person sent. */
export function keepSender(workspaceId: string, inboxId: string): void {
  try {
    localStorage.setItem(storageName(workspaceId), inboxId);
  } catch {
    // A browser without storage proposes the newest inbox.
  }
}
