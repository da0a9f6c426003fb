import { Button, Code, Group, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ApiKey, KeyWorks } from '@postrider/contract/console';
import { lazy, Suspense, useState } from 'react';
import { keysText } from '#strings/keys.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { itemsIn, useChange, useList, useRead } from '../lib/query.ts';
import { useNow } from '../lib/times.ts';
import { ListPage } from '../lists/list-page.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import type { Column } from '../parts/data-table.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
import { PolicySummary } from '../sending/describe-policy.tsx';
import { judgeExpiry, keyLists } from './key-limits.ts';
import { inboxSnippets } from './key-snippets.ts';

const CreateKey = lazy(async () => ({ default: (await import('./key-forms.tsx')).CreateKey }));
const KeyDetails = lazy(async () => ({ default: (await import('./key-forms.tsx')).KeyDetails }));
const PauseToggle = lazyPart(async () => (await import('../control/pausing.tsx')).PauseToggle);
const { columns: headers, revoke: revokeText } = keysText;

const columns: Column<ApiKey>[] = [
  {
    header: headers.name,
    cell: (key) => (
      <>
        <Text fw={500}>{key.name}</Text>
        <Code px={0} bg="transparent">
          {key.hint}
        </Code>
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

function Scope({ apiKey: { inbox_ids } }: { apiKey: ApiKey }) {
  return <span>{inbox_ids === null ? keysText.limits.allInboxes : keysText.scope(inbox_ids.length)}</span>;
}

function Sending({ apiKey: { read_only, policy } }: { apiKey: ApiKey }) {
  if (read_only) return <StatusBadge tone="quiet">{keysText.readOnly}</StatusBadge>;
  return <PolicySummary lines={policy} />;
}

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

/** The button that revokes a key, and asks what should happen to the things that the key created. */
function RevokeKey({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [keep, setKeep] = useState(false);
  const { mutateAsync } = useChange(keyLists, ({ ask }, isKept: boolean) =>
    ask('keys.revoke', { params: { id }, body: { keep: isKept } }),
  );
  const { data: works, isPending } = useRead(
    ['key-works', id],
    ({ ask }) => ask('keys.works', { params: { id } }),
    { enabled: isOpen, gcTime: 0 },
  );
  return (
    <>
      <Button size="xs" variant="default" aria-label={revokeText.label(name)} onClick={open}>
        {revokeText.button}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title={revokeText.title(name)}
        message={
          <Stack gap="md">
            <Text>{revokeText.message}</Text>
            {isPending && <Skeleton height={20} />}
            {works && <WorksChoice works={works} keep={keep} onChange={setKeep} />}
          </Stack>
        }
        confirm={revokeText.confirm}
        done={revokeText.done(name)}
        onConfirm={() => mutateAsync(keep)}
      />
    </>
  );
}

/** Nothing is asked about a key that has set up nothing. */
function WorksChoice(props: { works: KeyWorks; keep: boolean; onChange(keep: boolean): void }) {
  const {
    works: { webhooks, draft_count },
    keep,
    onChange,
  } = props;
  if (webhooks.length === 0 && draft_count === 0) return null;
  return (
    <>
      <div>
        <Text>{revokeText.works(webhooks.length, draft_count)}</Text>
        {webhooks.map(({ id, url }) => (
          <Text key={id} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
        ))}
      </div>
      <Radio.Group
        label={revokeText.whatOf}
        value={keep ? 'keep' : 'stop'}
        onChange={(value) => onChange(value === 'keep')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="stop" label={revokeText.stop} />
          <Radio value="keep" label={revokeText.keep} />
        </Stack>
      </Radio.Group>
    </>
  );
}
