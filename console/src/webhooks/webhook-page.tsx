import { Alert, Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react';
import type { Delivery, Webhook } from 'postrider';
import { useParams } from 'react-router';
import { eventKindText } from '#strings/events.ts';
import { webhooksText } from '#strings/webhooks.ts';
import { itemsIn, type Reader, useList, useRead } from '../lib/query.ts';
import { useInboxAddress } from '../lib/shared-queries.ts';
import { ListSection } from '../lists/list-page.tsx';
import { ApiProblem } from '../parts/api-problem.tsx';
import { ActionButton } from '../parts/buttons.tsx';
import type { Column } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { FactList } from '../parts/fact-list.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Time } from '../parts/time.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import {
  awaitedId,
  DeliveryState,
  hasFailed,
  settledMs,
  useDeliver,
  useLastDelivery,
  WebhookState,
} from './webhook-state.tsx';

const text = webhooksText.detail;
const back = { to: '/webhooks', label: webhooksText.back };

/** One webhook: its events, whether it is enabled, and its deliveries. */
export function WebhookPage() {
  const { id = '' } = useParams();
  const read = ({ api, signal }: Reader) => api.webhooks.get(id, { signal });
  const { data: webhook, error, refetch } = useRead(['webhooks', id], read, { refetchInterval: settledMs });
  return (
    <>
      <PageHeader
        title={webhook?.url ?? webhooksText.title}
        back={back}
        actions={webhook && <WebhookActions webhook={webhook} />}
      />
      {!webhook && error ? (
        <ApiProblem error={error} onRetry={() => void refetch()} />
      ) : (
        <Stack gap="lg">
          {webhook && !webhook.enabled && (
            <Alert color="yellow" title={text.disabledTitle} icon={<IconPlayerPause aria-hidden />}>
              {text.disabledMessage}
            </Alert>
          )}
          {webhook?.enabled && <FailingNote webhookId={id} />}
          {webhook ? <WebhookFacts webhook={webhook} /> : <Skeleton height={62} />}
          <DeliveriesList webhookId={id} />
        </Stack>
      )}
    </>
  );
}

function FailingNote({ webhookId }: { webhookId: string }) {
  const { data: last } = useLastDelivery(webhookId);
  if (!hasFailed(last)) return null;
  return (
    <Alert color="red" title={text.failingTitle} icon={<IconAlertTriangle aria-hidden />}>
      {text.failingMessage}
    </Alert>
  );
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { events, inbox_ids, created_at } = webhook;
  const { columns } = webhooksText;
  return (
    <FactList
      facts={[
        { name: columns.state, value: <WebhookState webhook={webhook} /> },
        { name: columns.events, value: events.join(', ') },
        { name: columns.inboxes, value: <InboxNames ids={inbox_ids} /> },
        { name: text.created, value: <Time value={created_at} absolute /> },
      ]}
    />
  );
}

function InboxNames({ ids }: { ids: string[] | null }) {
  const inboxAddress = useInboxAddress();
  if (ids === null) return webhooksText.allInboxes;
  return (
    <Group gap={6}>
      {ids.map((id) => (
        <Text key={id} span size="sm" style={{ overflowWrap: 'anywhere' }}>
          {inboxAddress(id)}
        </Text>
      ))}
    </Group>
  );
}

const listText = webhooksText.deliveries;
const { columns: headers } = listText;
/** A delivery that waits is looked at this often, and a list in which nothing waits less often. */
const pendingMs = 2_000;

const columns: Column<Delivery>[] = [
  {
    header: headers.event,
    cell: ({ event }) => (
      <>
        <Text fw={500}>{eventKindText[event].name}</Text>
        <Code px={0} bg="transparent">
          {event}
        </Code>
      </>
    ),
  },
  {
    header: headers.state,
    width: '110px',
    inCorner: true,
    cell: (delivery) => <DeliveryState delivery={delivery} />,
  },
  { header: headers.attempts, width: '90px', cell: ({ attempts }) => attempts.length },
  {
    header: headers.next,
    width: '130px',
    cell: ({ next_attempt_at }) => next_attempt_at !== null && <Time value={next_attempt_at} />,
  },
  { header: headers.created, width: '130px', cell: ({ created_at }) => <Time value={created_at} /> },
  {
    header: headers.actions,
    width: '110px',
    isActions: true,
    cell: (delivery) => <Redeliver {...{ delivery }} />,
  },
];

function DeliveriesList({ webhookId }: { webhookId: string }) {
  const list = useList(
    ['deliveries', webhookId, 'list'],
    ({ api, signal }, cursor) =>
      itemsIn('deliveries', api.webhooks.deliveries(webhookId, { cursor }, { signal })),
    { refetchMs: (items) => (items.some(({ status }) => status === 'pending') ? pendingMs : settledMs) },
  );
  return (
    <ListSection
      title={listText.title}
      about={listText.about}
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      empty={<EmptyState {...listText.empty} picture="plug" />}
      details={{
        field: 'delivery',
        label: ({ event }) => listText.open(event),
        render: (delivery) => <DeliveryDetail delivery={delivery} />,
      }}
    />
  );
}

function Redeliver({ delivery }: { delivery: Delivery }) {
  const redeliver = useDeliver(delivery.webhook_id, listText.redelivery, delivery);
  if (delivery.id === awaitedId) return null;
  return (
    <ActionButton size="compact-xs" onAct={redeliver}>
      {listText.redeliver}
    </ActionButton>
  );
}
