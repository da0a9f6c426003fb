import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { problemText } from '#strings/problem.ts';
import { MessagePage } from './message-page.tsx';

/** The page for an address that no page has. */
export function NotFoundPage() {
  const { title, message, back } = problemText.notFound;
  return (
    <MessagePage title={title} message={message}>
      <Anchor component={Link} to="/">
        {back}
      </Anchor>
    </MessagePage>
  );
}
