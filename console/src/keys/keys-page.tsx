import { Button, Code, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ApiKey } from '@postrider/contract/console';
import { IconPlus } from '@tabler/icons-react';
import { keysText } from '#strings/keys.ts';
import { useSession } from '../lib/session.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
import { CreateKey } from './create-key.tsx';
import { useKeys } from './key-queries.ts';
import { inboxSnippets } from './key-snippets.ts';
import { RevokeKey } from './revoke-key.tsx';

const { columns: headers } = keysText;

const columns: Column<ApiKey>[] = [
  { id: 'name', header: headers.name, cell: ({ name }) => <Text fw={500}>{name}</Text> },
  { id: 'hint', header: headers.hint, cell: ({ hint }) => <Code>{hint}</Code> },
  {
    id: 'creator',
    header: headers.creator,
    wideOnly: true,
    cell: ({ created_by }) => created_by?.name ?? <Text c="dimmed">{keysText.byServer}</Text>,
  },
  {
    id: 'created',
    header: headers.created,
    wideOnly: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
  {
    id: 'used',
    header: headers.used,
    cell: ({ last_used_at }) =>
      last_used_at === null ? <Text c="dimmed">{keysText.neverUsed}</Text> : <Time value={last_used_at} />,
  },
  {
    id: 'actions',
    header: headers.actions,
    isActions: true,
    cell: (key) =>
      key.revoked_at === null ? (
        <RevokeKey apiKey={key} />
      ) : (
        <StatusBadge tone="quiet">{keysText.revoked}</StatusBadge>
      ),
  },
];

/** The API keys of the workspace: who made them, when they were used, and how to make and revoke them. */
export function KeysPage() {
  const list = useKeys();
  const { api_url } = useSession().server;
  const [isCreating, { open, close }] = useDisclosure(false);
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {keysText.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={keysText.title} about={keysText.about} actions={create} />
      <DataTable
        label={keysText.title}
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState {...keysText.empty} action={create} snippets={inboxSnippets(api_url)} />}
      />
      <CreateKey isOpen={isCreating} onClose={close} />
    </>
  );
}
