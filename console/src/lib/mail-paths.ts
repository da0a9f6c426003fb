/** Returns the address of the page of a thread, at one of its messages if one is named. */
export function threadPath(threadId: string, messageId?: string): string {
  const at = messageId === undefined ? '' : `?message=${encodeURIComponent(messageId)}`;
  return `/threads/${encodeURIComponent(threadId)}${at}`;
}

/** Returns an address that leads to a message in its thread. */
export function messagePath(messageId: string): string {
  return `/messages/${encodeURIComponent(messageId)}`;
}

/** Returns the address of the page that continues a draft. */
export function draftPath(draftId: string): string {
  return `/compose?draft=${encodeURIComponent(draftId)}`;
}

/** Returns the address of the page of a message that waits or waited for approval. */
export function approvalPath(messageId: string): string {
  return `/approvals/${encodeURIComponent(messageId)}`;
}

/** Returns a signed link of the API on the origin of the page, because a page may only load from its own. */
export function ownLink(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return pathname + search;
}
