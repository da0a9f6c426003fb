import { Alert, Code, Text } from '@mantine/core';
import type { AdminToken } from '@postrider/contract/console';
import { lazy } from 'react';
import { adminTokensText } from '#strings/keys.ts';
import { itemsIn, useChange, useList } from '../lib/query.ts';
import { useSession } from '../lib/session.ts';
import { useNow } from '../lib/times.ts';
import { ListPage } from '../lists/list-page.tsx';
import { ConfirmButton } from '../parts/confirm-dialog.tsx';
import type { Column } from '../parts/data-table.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';

const CreateToken = lazy(async () => ({ default: (await import('./create-token.tsx')).CreateToken }));
const { columns: headers, rights: rightTexts } = adminTokensText;

const columns: Column<AdminToken>[] = [
  {
    header: headers.name,
    cell: ({ name, hint }) => (
      <>
        <Text fw={500}>{name}</Text>
        <Code px={0} bg="transparent">
          {hint}
        </Code>
      </>
    ),
  },
  { header: headers.rights, cell: ({ rights }) => rights.map((right) => rightTexts[right].name).join(', ') },
  { header: headers.maker, width: '150px', cell: ({ created_by }) => created_by?.name ?? '' },
  { header: headers.expires, width: '130px', cell: ({ expires_at }) => <Time value={expires_at} /> },
  {
    header: headers.used,
    width: '130px',
    cell: ({ last_used_at }) =>
      last_used_at === null ? (
        <Text c="dimmed">{adminTokensText.neverUsed}</Text>
      ) : (
        <Time value={last_used_at} />
      ),
  },
  { header: headers.actions, width: '140px', isActions: true, cell: (token) => <TokenState token={token} /> },
];

/** The admin tokens of the workspace: for whom they act, what they can do, and how to create and revoke them. */
export function AdminTokensPage() {
  const list = useList(['admin-tokens'], ({ ask }, cursor) =>
    itemsIn('admin_tokens', ask('adminTokens.list', { query: { cursor } })),
  );
  const { management } = useSession().server;
  return (
    <ListPage
      text={adminTokensText}
      picture="plug"
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      create={{ label: adminTokensText.create, Dialog: CreateToken }}
      above={
        !management && (
          <Alert color="orange" mb="md">
            {adminTokensText.off}
          </Alert>
        )
      }
    />
  );
}

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
  const { mutateAsync } = useChange(['admin-tokens'], ({ ask }) =>
    ask('adminTokens.revoke', { params: { id }, body: {} }),
  );
  return <ConfirmButton {...adminTokensText.revoke(name)} onConfirm={mutateAsync} />;
}
