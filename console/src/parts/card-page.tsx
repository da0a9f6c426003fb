import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { brand } from '@postrider/contract/brand';
import type { ReactNode } from 'react';
import { appText } from '#strings/app.ts';
import { PageTitle } from './page-header.tsx';

/** A page without the frame of the console: the name of the product and one card, such as the sign-in. */
export function CardPage(props: { title: string; lead?: ReactNode; children?: ReactNode }) {
  const { title, lead, children } = props;
  return (
    <div className="console-card-page">
      <PageTitle title={title} />
      <header>
        <Group gap={10} wrap="nowrap">
          <BrandMark size={32} />
          <Text span fz={20} fw={650} lts="-0.02em" c="var(--mantine-color-text)">
            {brand.product}
          </Text>
        </Group>
        <Text c="dimmed" mt={6}>
          {appText.tagline}
        </Text>
      </header>
      <Paper component="main" withBorder p="xl" radius="lg" shadow="sm">
        <Stack gap="md">
          <div style={{ overflowWrap: 'anywhere' }}>
            <Title order={1}>{title}</Title>
            {lead !== undefined && <Text c="dimmed">{lead}</Text>}
          </div>
          {children}
        </Stack>
      </Paper>
    </div>
  );
}

/** The mark of the product, a post horn. The same drawing is in `app/icon.svg`, for tabs of browsers. */
export function BrandMark({ size = 24 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden style={{ flex: 'none' }}>
      <rect width="32" height="32" rx="8" fill="var(--mantine-color-pine-8)" />
      <g fill="none" stroke="#fff" strokeWidth="2.4" strokeLinecap="round">
        <circle cx="13.5" cy="14" r="5.3" />
        <path d="M5 19.3h16" />
      </g>
      <path
        fill="var(--mantine-color-pine-3)"
        d="M20 18.1c2.7-.4 4.9-1.9 6.3-4.4.3-.5 1-.3 1 .3v10.6c0 .6-.7.8-1 .3-1.4-2.5-3.6-4-6.3-4.4z"
      />
    </svg>
  );
}
