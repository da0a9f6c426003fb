import { Anchor, Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { problemText } from '#strings/problem.ts';
import { PageTitle } from '../parts/page-header.tsx';

/** A page that only shows a message and the next step. */
export function MessagePage(props: { title: string; message: string; children?: ReactNode }) {
  const { title, message, children } = props;
  return (
    <Center mih="60vh" px="md">
      <PageTitle title={title} />
      <Stack gap="sm" maw={420}>
        <Title order={1}>{title}</Title>
        <Text c="dimmed">{message}</Text>
        {children}
      </Stack>
    </Center>
  );
}

/** The page for an address that no page has. */
export function NotFoundPage() {
  return <MessageWithLink {...problemText.notFound} />;
}

/** A page with a message and a link to the first page. */
export function MessageWithLink({ title, message, back }: { title: string; message: string; back: string }) {
  return (
    <MessagePage title={title} message={message}>
      <Anchor component={Link} to="/">
        {back}
      </Anchor>
    </MessagePage>
  );
}
