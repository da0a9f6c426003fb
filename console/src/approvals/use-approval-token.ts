import { useEffect, useState } from 'react';
import { useLinkToken } from '../links/use-link-token.ts';

const storageName = 'console-approval-link';

/**
 * Returns the token of the link to an approval, or an empty text without one. The token is removed from the address. The tab keeps it, so
 * that the page can be reloaded. Once somebody has decided, the token only shows the decision.
 */
export function useApprovalToken(): string {
  const opened = useLinkToken();
  const [kept] = useState(readToken);
  useEffect(() => {
    if (opened !== '') keepToken(opened);
  }, [opened]);
  return opened || kept;
}

function readToken(): string {
  try {
    return sessionStorage.getItem(storageName) ?? '';
  } catch {
    return '';
  }
}

function keepToken(token: string): void {
  try {
    sessionStorage.setItem(storageName, token);
  } catch {
    // A browser without storage needs the link again after a reload.
  }
}
