import { Alert, Button, Code, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { AdminToken } from '@postrider/contract/console';
import { IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { adminTokensText } from '#strings/keys.ts';
import { useSession } from '../lib/session.ts';
import { useNow } from '../lib/use-now.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { notify } from '../parts/notify.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
import { useRevokeToken, useTokens } from './token-queries.ts';

const CreateToken = lazy(async () => ({ default: (await import('./create-token.tsx')).CreateToken }));
const { columns: headers, rights: rightTexts, revoke: revokeText } = adminTokensText;

const columns: Column<AdminToken>[] = [
  {
    id: 'name',
    header: headers.name,
    cell: ({ name, hint }) => (
      <>
        <Text fw={500}>{name}</Text>
        <Code>{hint}</Code>
      </>
    ),
  },
  {
    id: 'rights',
    header: headers.rights,
    cell: ({ rights }) => rights.map((right) => rightTexts[right].name).join(', '),
  },
  {
    id: 'maker',
    header: headers.maker,
    wideOnly: true,
    cell: ({ created_by }) => created_by?.name ?? '',
  },
  {
    id: 'expires',
    header: headers.expires,
    wideOnly: true,
    cell: ({ expires_at }) => <Time value={expires_at} />,
  },
  {
    id: 'used',
    header: headers.used,
    wideOnly: true,
    cell: ({ last_used_at }) =>
      last_used_at === null ? (
        <Text c="dimmed">{adminTokensText.neverUsed}</Text>
      ) : (
        <Time value={last_used_at} />
      ),
  },
  {
    id: 'actions',
    header: headers.actions,
    isActions: true,
    cell: (token) => <TokenState token={token} />,
  },
];

/** The admin tokens of the workspace: for whom they act, what they may do, and how to make and revoke them. */
export function AdminTokensPage() {
  const list = useTokens();
  const { management } = useSession().server;
  const [isCreating, { open, close }] = useDisclosure(false);
  const [wasOpened, setOpened] = useState(false);
  function create() {
    setOpened(true);
    open();
  }
  const button = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
      {adminTokensText.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={adminTokensText.title} about={adminTokensText.about} actions={button} />
      {!management && (
        <Alert color="orange" mb="md">
          {adminTokensText.off}
        </Alert>
      )}
      <DataTable
        label={adminTokensText.title}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState {...adminTokensText.empty} action={button} />}
      />
      <Suspense>{wasOpened && <CreateToken isOpen={isCreating} onClose={close} />}</Suspense>
    </>
  );
}

/** Why a token is refused, or the button that revokes it. */
function TokenState({ token }: { token: AdminToken }) {
  const now = useNow();
  if (token.revoked_at !== null) return <StatusBadge tone="quiet">{adminTokensText.revoked}</StatusBadge>;
  if (Date.parse(token.expires_at) <= now)
    return <StatusBadge tone="quiet">{adminTokensText.expired}</StatusBadge>;
  return (
    <>
      {!token.is_backed && <StatusBadge tone="quiet">{adminTokensText.unbacked}</StatusBadge>}
      <RevokeToken token={token} />
    </>
  );
}

function RevokeToken({ token: { id, name } }: { token: AdminToken }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { mutateAsync } = useRevokeToken();
  async function revoke() {
    await mutateAsync(id);
    void notify({ message: revokeText.done(name) });
  }
  return (
    <>
      <Button size="xs" variant="default" aria-label={revokeText.label(name)} onClick={open}>
        {revokeText.button}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title={revokeText.title(name)}
        message={revokeText.message}
        confirm={revokeText.confirm}
        onConfirm={revoke}
      />
    </>
  );
}
