import '../mail.css';
import { Badge, Button, Group, Text } from '@mantine/core';
import type { InboxSummary } from '@postrider/contract/console';
import { IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { inboxesText } from '#strings/inboxes.ts';
import { inboxSnippets } from '../../keys/key-snippets.ts';
import { keepStored, readStored } from '../../lib/browser.ts';
import { useLazyDialog } from '../../lib/lazy-part.ts';
import { itemsIn, useList } from '../../lib/query.ts';
import { useSession } from '../../lib/session.ts';
import { useWorkspace } from '../../lib/workspace.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Time } from '../../parts/time.tsx';
import { InboxActions } from './inbox-actions.tsx';

const CreateInbox = lazy(async () => ({ default: (await import('./inbox-dialogs.tsx')).CreateInbox }));
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
        <Badge
          circle={count < 10}
          size="md"
          radius="xl"
          fw={700}
          role="img"
          aria-label={inboxesText.unreadLabel(count)}
        >
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
  const list = useList(['inboxes'], ({ ask }, cursor) =>
    itemsIn('inboxes', ask('mail.inboxes', { query: { limit: 100, cursor } })),
  );
  const { api_url } = useSession().server;
  const { workspace_id } = useWorkspace();
  const stepsName = `console-first-steps-hidden-${workspace_id}`;
  const [hidesSteps, setHidesSteps] = useState(() => readStored('localStorage', stepsName) !== null);
  const creation = useLazyDialog();
  function hideSteps() {
    keepStored('localStorage', stepsName, '1');
    setHidesSteps(true);
  }
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
            snippets={hidesSteps ? inboxSnippets(api_url) : []}
          />
        }
      />
      <Suspense>{!hidesSteps && <FirstSteps onHide={hideSteps} />}</Suspense>
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
      {display_name !== null && display_name !== '' && <Text variant="detail">{display_name}</Text>}
    </>
  );
}
