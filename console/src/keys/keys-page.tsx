import './keys.css';
import { Button, Code, Group, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ApiKey } from '@postrider/contract/console';
import { IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { keysText } from '#strings/keys.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { useSession } from '../lib/session.ts';
import { useNow } from '../lib/use-now.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
import { PolicySummary } from '../sending/policy-summary.tsx';
import { judgeExpiry } from './key-limits.ts';
import { useKeys } from './key-queries.ts';
import { inboxSnippets } from './key-snippets.ts';
import { RevokeKey } from './revoke-key.tsx';

const CreateKey = lazy(async () => ({ default: (await import('./create-key.tsx')).CreateKey }));
const KeyDetails = lazy(async () => ({ default: (await import('./key-details.tsx')).KeyDetails }));
const PauseToggle = lazyPart(async () => (await import('../control/pause-toggle.tsx')).PauseToggle);
const { columns: headers } = keysText;

const columns: Column<ApiKey>[] = [
  {
    id: 'name',
    header: headers.name,
    cell: (key) => (
      <>
        <Text fw={500}>{key.name}</Text>
        <Code>{key.hint}</Code>
        <div className="keys-narrow">
          <Sending apiKey={key} />
          <Text>
            {keysText.columns.scope}: <Scope apiKey={key} />
          </Text>
          <Text>
            {keysText.columns.expires}: <Expiry apiKey={key} />
          </Text>
        </div>
      </>
    ),
  },
  {
    id: 'scope',
    header: headers.scope,
    wideOnly: true,
    cell: (key) => <Scope apiKey={key} />,
  },
  {
    id: 'limits',
    header: headers.limits,
    wideOnly: true,
    cell: (key) => <Sending apiKey={key} />,
  },
  { id: 'expires', header: headers.expires, wideOnly: true, cell: (key) => <Expiry apiKey={key} /> },
  {
    id: 'used',
    header: headers.used,
    wideOnly: true,
    cell: ({ last_used_at }) =>
      last_used_at === null ? <Text c="dimmed">{keysText.neverUsed}</Text> : <Time value={last_used_at} />,
  },
  {
    id: 'actions',
    header: headers.actions,
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

/** The API keys of the workspace: who made them, when they were used, and how to make and revoke them. */
export function KeysPage() {
  const list = useKeys();
  const { api_url } = useSession().server;
  const [isCreating, { open, close }] = useDisclosure(false);
  const [wasOpened, setOpened] = useState(false);
  const [openKey, setOpenKey] = useState('');
  function create() {
    setOpened(true);
    open();
  }
  const button = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
      {keysText.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={keysText.title} about={keysText.about} actions={button} />
      <DataTable
        label={keysText.title}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        details={{
          openKey,
          onToggle: (id) => setOpenKey(id === openKey ? '' : id),
          label: ({ name }) => keysText.openDetails(name),
          render: (key) => (
            <Suspense fallback={<Skeleton height={200} />}>
              <KeyDetails apiKey={key} />
            </Suspense>
          ),
        }}
        empty={<EmptyState {...keysText.empty} action={button} snippets={inboxSnippets(api_url)} />}
      />
      <Suspense>{wasOpened && <CreateKey isOpen={isCreating} onClose={close} />}</Suspense>
    </>
  );
}

/** How many inboxes exist for a key. */
function Scope({ apiKey: { inbox_ids } }: { apiKey: ApiKey }) {
  return <span>{inbox_ids === null ? keysText.limits.allInboxes : keysText.scope(inbox_ids.length)}</span>;
}

/** The mail that a key may send. */
function Sending({ apiKey: { read_only, policy } }: { apiKey: ApiKey }) {
  if (read_only) return <StatusBadge tone="quiet">{keysText.readOnly}</StatusBadge>;
  return <PolicySummary lines={policy} />;
}

/** When a key ends, in orange if that is soon. */
function Expiry({ apiKey }: { apiKey: ApiKey }) {
  const now = useNow();
  const { expires_at } = apiKey;
  if (expires_at === null) return <span>{keysText.never}</span>;
  const expiry = judgeExpiry(apiKey, now);
  if (expiry === 'over') return <StatusBadge tone="bad">{keysText.expired}</StatusBadge>;
  return (
    <span className={expiry === 'soon' ? 'keys-soon' : undefined}>
      <Time value={expires_at} absolute />
    </span>
  );
}
