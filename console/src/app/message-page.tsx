import { Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageTitle } from '../parts/page-header.tsx';

interface MessagePageProps {
  title: string;
  message: string;
  children?: ReactNode;
}

/** A page with nothing but a message and what to do. */
export function MessagePage({ title, message, children }: MessagePageProps) {
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
