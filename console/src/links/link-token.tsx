import { Anchor } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { linksText } from '#strings/links.ts';
import { CardPage } from '../parts/card-page.tsx';

/** Returns the token of the link, or an empty text. It is removed from the address, so that nobody copies it and no history keeps it. */
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

/** The page for a link without its token. */
export function BrokenLink() {
  return (
    <CardPage title={linksText.broken.title} lead={linksText.broken.message}>
      <SignInLink />
    </CardPage>
  );
}

/** A link to the sign-in. */
export function SignInLink() {
  return (
    <Anchor component={Link} to="/sign-in" size="sm">
      {linksText.signIn}
    </Anchor>
  );
}
