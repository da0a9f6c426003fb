import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageTitle } from './page-header.tsx';

interface CardPageProps {
  title: string;
  /** The purpose of the page. */
  lead?: ReactNode;
  children?: ReactNode;
}

/** A page without the frame of the console: one card in the middle, such as the sign-in. */
export function CardPage({ title, lead, children }: CardPageProps) {
  return (
    <Center component="main" mih="100vh" p="md">
      <PageTitle title={title} />
      <Paper withBorder p="xl" radius="lg" w="100%" maw={400}>
        <Stack gap="md">
          <div style={{ overflowWrap: 'anywhere' }}>
            <Title order={1}>{title}</Title>
            {lead !== undefined && <Text c="dimmed">{lead}</Text>}
          </div>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
