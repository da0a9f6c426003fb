import { Group, type MantineSpacing, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface PanelProps {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

/** A part of a page in a frame, with a heading. */
export function Panel({ children, ...heading }: PanelProps) {
  const id = useId();
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby={id}>
      <Stack gap="md">
        <Heading id={id} {...heading} />
        {children}
      </Stack>
    </Paper>
  );
}

/** A part of a page without a frame, with a heading. */
export function Section({ children, mt, ...heading }: PanelProps & { mt?: MantineSpacing }) {
  const id = useId();
  return (
    <Stack component="section" gap="sm" mt={mt} aria-labelledby={id}>
      <Heading id={id} {...heading} />
      {children}
    </Stack>
  );
}

function Heading({ id, title, about, actions }: PanelProps & { id: string }) {
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <div style={{ flex: '1 1 200px', minWidth: 0 }}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {about !== undefined && (
          <Text c="dimmed" mt={2}>
            {about}
          </Text>
        )}
      </div>
      {actions}
    </Group>
  );
}
