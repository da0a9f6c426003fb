import '../mail.css';
import { Badge, Button, Group, Text } from '@mantine/core';
import type { InboxSummary } from '@postrider/contract/console';
import { IconPlus } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { inboxesText } from '#strings/inboxes.ts';
import { isHidden } from '../../first-steps/hidden-steps.ts';
import { inboxSnippets } from '../../keys/key-snippets.ts';
import { useLazyDialog } from '../../lib/lazy-part.ts';
import { useSession } from '../../lib/session.ts';
import { useWorkspace } from '../../lib/workspace.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Time } from '../../parts/time.tsx';
import { InboxActions } from './inbox-actions.tsx';
import { useInboxes } from './inbox-queries.ts';

const CreateInbox = lazy(async () => ({ default: (await import('./create-inbox.tsx')).CreateInbox }));
const FirstSteps = lazy(async () => ({
  default: (await import('../../first-steps/first-steps.tsx')).FirstSteps,
}));
const { columns: headers } = inboxesText;

const columns: Column<InboxSummary>[] = [
  { header: headers.address, cell: (inbox) => <InboxName inbox={inbox} /> },
  {
    header: headers.unread,
    cell: ({ unread_threads: count }) =>
      count > 0 && (
        <Badge circle={count < 10} role="img" aria-label={inboxesText.unreadLabel(count)}>
          {inboxesText.unread(count)}
        </Badge>
      ),
  },
  {
    header: headers.activity,
    wideOnly: true,
    cell: ({ last_message_at }) =>
      last_message_at === null ? (
        <Text c="dimmed">{inboxesText.noMail}</Text>
      ) : (
        <Time value={last_message_at} />
      ),
  },
  { header: headers.created, wideOnly: true, cell: ({ created_at }) => <Time value={created_at} /> },
  { header: headers.actions, isActions: true, cell: (inbox) => <InboxActions inbox={inbox} /> },
];

/** The inboxes of the workspace: the first page after the sign-in. */
export function InboxesPage() {
  const list = useInboxes();
  const { api_url } = useSession().server;
  const { workspace_id } = useWorkspace();
  const creation = useLazyDialog();
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creation.open}>
      {inboxesText.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={inboxesText.title} about={inboxesText.about} actions={create} />
      <DataTable
        label={inboxesText.title}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            {...inboxesText.empty}
            picture="mail"
            action={create}
            // The first steps below have the same call.
            snippets={isHidden(workspace_id) ? inboxSnippets(api_url) : []}
          />
        }
      />
      <Suspense>
        <FirstSteps />
      </Suspense>
      <Suspense>{creation.isOpen && <CreateInbox isOpen onClose={creation.close} />}</Suspense>
    </>
  );
}

function InboxName({ inbox: { id, address, display_name } }: { inbox: InboxSummary }) {
  return (
    <>
      <Group gap={6} wrap="nowrap">
        <Link to={`/threads?inbox=${id}`} className="mail-inbox-link">
          {address}
        </Link>
        <CopyButton value={address} label={inboxesText.copy(address)} size="sm" />
      </Group>
      {display_name !== null && display_name !== '' && (
        <Text size="xs" c="dimmed">
          {display_name}
        </Text>
      )}
    </>
  );
}
