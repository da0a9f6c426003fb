import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/**
 * Returns the token of the link that was opened; empty if there is none. The token is in the fragment of the address, and is removed from
 * it at once, so that it is neither copied by mistake nor kept in the history of the browser.
 */
export function useLinkToken(): string {
  const { hash } = useLocation();
  const [token, setToken] = useState(hash.slice(1));
  useEffect(() => {
    if (hash === '') return;
    setToken(hash.slice(1));
    history.replaceState(history.state, '', location.pathname + location.search);
  }, [hash]);
  return token;
}
