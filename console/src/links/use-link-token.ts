import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/**
 * Returns the token of the link that was opened, or an empty text if the link has no token. The token is in the fragment of the address.
 * It is removed from there at once, so that nobody copies it by mistake and the history of the browser does not keep it.
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
