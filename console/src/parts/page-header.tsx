import './page-header.css';
import { Group, Text, Title } from '@mantine/core';
import { brand } from '@postrider/contract/brand';
import { IconChevronLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface PageHeaderProps {
  title: string;
  about?: ReactNode;
  /** The list that the page belongs to. */
  back?: { to: string; label: string };
  actions?: ReactNode;
}

/** The heading of a page, which also names the document. */
export function PageHeader({ title, about, back, actions }: PageHeaderProps) {
  return (
    <Group component="header" justify="space-between" align="flex-start" gap="sm" mb="lg">
      <PageTitle title={title} />
      <div style={{ flex: '1 1 300px', minWidth: 0 }}>
        {back && (
          <Link to={back.to} className="console-back">
            <IconChevronLeft size={14} aria-hidden />
            {back.label}
          </Link>
        )}
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
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
