import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from './code-block.tsx';

/** A piece of code that does what the page is about. */
export interface Snippet {
  label: string;
  code: string;
}

interface EmptyStateProps {
  title: string;
  message: ReactNode;
  action?: ReactNode;
  /** How programs do it. */
  snippets?: Snippet[];
}

/** A list without items: what belongs here, and how to get it. */
export function EmptyState({ title, message, action, snippets = [] }: EmptyStateProps) {
  return (
    <Stack gap="md" py="xl" px="md" w="100%" maw={640} mx="auto">
      <div>
        <Title order={2}>{title}</Title>
        <Text c="dimmed" mt={4}>
          {message}
        </Text>
      </div>
      {action !== undefined && <div>{action}</div>}
      {snippets.map((snippet) => (
        <CodeBlock key={snippet.label} {...snippet} />
      ))}
    </Stack>
  );
}
