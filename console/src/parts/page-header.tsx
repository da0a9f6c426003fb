import { Group, Text, Title } from '@mantine/core';
import { brand } from '@postrider/contract/brand';
import type { ReactNode } from 'react';

interface PageHeaderProps {
  title: string;
  /** One sentence about the page. */
  about?: ReactNode;
  /** Buttons at the end of the line. */
  actions?: ReactNode;
}

/** The heading of a page, which also names the document. */
export function PageHeader({ title, about, actions }: PageHeaderProps) {
  return (
    <Group component="header" justify="space-between" align="flex-start" gap="sm" mb="lg">
      <PageTitle title={title} />
      <div style={{ minWidth: 0 }}>
        <Title order={1}>{title}</Title>
        {about !== undefined && (
          <Text c="dimmed" mt={2}>
            {about}
          </Text>
        )}
      </div>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}

/** Names the document, for pages without a header. */
export function PageTitle({ title }: { title: string }) {
  return <title>{`${title} · ${brand.product}`}</title>;
}
