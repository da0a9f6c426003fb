import { Code, Group, Skeleton, Text } from '@mantine/core';
import type { ApiKey } from '@postrider/contract/console';
import { lazy, Suspense } from 'react';
import { keysText } from '#strings/keys.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { itemsIn, useList } from '../lib/query.ts';
import { useNow } from '../lib/use-now.ts';
import { ListPage } from '../lists/list-page.tsx';
import type { Column } from '../parts/data-table.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
import { PolicySummary } from '../sending/describe-policy.tsx';
import { judgeExpiry } from './key-limits.ts';
import { inboxSnippets } from './key-snippets.ts';
import { RevokeKey } from './revoke-key.tsx';

const CreateKey = lazy(async () => ({ default: (await import('./create-key.tsx')).CreateKey }));
const KeyDetails = lazy(async () => ({ default: (await import('./key-details.tsx')).KeyDetails }));
const PauseToggle = lazyPart(async () => (await import('../control/pausing.tsx')).PauseToggle);
const { columns: headers } = keysText;

const columns: Column<ApiKey>[] = [
  {
    header: headers.name,
    cell: (key) => (
      <>
        <Text fw={500}>{key.name}</Text>
        <Code>{key.hint}</Code>
      </>
    ),
  },
  { header: headers.scope, width: '120px', cell: (key) => <Scope apiKey={key} /> },
  { header: headers.limits, width: '200px', cell: (key) => <Sending apiKey={key} /> },
  { header: headers.expires, width: '150px', cell: (key) => <Expiry apiKey={key} /> },
  {
    header: headers.used,
    width: '130px',
    cell: ({ last_used_at }) =>
      last_used_at === null ? <Text c="dimmed">{keysText.neverUsed}</Text> : <Time value={last_used_at} />,
  },
  {
    header: headers.actions,
    width: '170px',
    isActions: true,
    cell: (key) =>
      key.revoked_at === null ? (
        <Group gap={6} justify="flex-end" wrap="nowrap">
          <Suspense>
            <PauseToggle place={{ level: 'key', subjectId: key.id, name: key.name }} />
          </Suspense>
          <RevokeKey apiKey={key} />
        </Group>
      ) : (
        <StatusBadge tone="quiet">{keysText.revoked}</StatusBadge>
      ),
  },
];

/** The API keys of the workspace: what each may do, when they were used, and how to create and revoke them. */
export function KeysPage() {
  const list = useList(['keys'], ({ ask }, cursor) =>
    itemsIn('keys', ask('keys.list', { query: { cursor } })),
  );
  return (
    <ListPage
      text={keysText}
      picture="plug"
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      create={{ label: keysText.create, Dialog: CreateKey }}
      snippets={inboxSnippets}
      details={{
        field: 'key',
        label: ({ name }) => keysText.openDetails(name),
        render: (key) => (
          <Suspense fallback={<Skeleton height={200} />}>
            <KeyDetails apiKey={key} />
          </Suspense>
        ),
      }}
    />
  );
}

/** The number of inboxes that a key can see. */
function Scope({ apiKey: { inbox_ids } }: { apiKey: ApiKey }) {
  return <span>{inbox_ids === null ? keysText.limits.allInboxes : keysText.scope(inbox_ids.length)}</span>;
}

/** The mail that a key may send. */
function Sending({ apiKey: { read_only, policy } }: { apiKey: ApiKey }) {
  if (read_only) return <StatusBadge tone="quiet">{keysText.readOnly}</StatusBadge>;
  return <PolicySummary lines={policy} />;
}

/** The time at which a key expires, as a warning if that is soon. */
function Expiry({ apiKey }: { apiKey: ApiKey }) {
  const now = useNow();
  const { expires_at } = apiKey;
  if (expires_at === null) return <span>{keysText.never}</span>;
  const expiry = judgeExpiry(apiKey, now);
  if (expiry === 'over') return <StatusBadge tone="bad">{keysText.expired}</StatusBadge>;
  const time = <Time value={expires_at} absolute />;
  return expiry === 'soon' ? (
    <Text span fw={600} c="var(--console-waiting)">
      {time}
    </Text>
  ) : (
    time
  );
}
