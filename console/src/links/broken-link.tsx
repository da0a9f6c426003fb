import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { linksText } from '#strings/links.ts';
import { CardPage } from '../parts/card-page.tsx';

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
