import { Code, Text, Title } from '@mantine/core';
import type { Delivery } from 'postrider';
import { webhooksText } from '#strings/webhooks.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Time } from '../parts/time.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { Redeliver } from './redeliver.tsx';
import { useDeliveries } from './webhook-queries.ts';

const text = webhooksText.deliveries;
const { columns: headers } = text;
const noneOpen = { delivery: '' };

const columns: Column<Delivery>[] = [
  {
    id: 'state',
    header: headers.state,
    isShort: true,
    cell: (delivery) => <DeliveryState delivery={delivery} />,
  },
  { id: 'event', header: headers.event, cell: ({ event }) => <Code>{event}</Code> },
  { id: 'attempts', header: headers.attempts, wideOnly: true, cell: ({ attempts }) => attempts.length },
  {
    id: 'next',
    header: headers.next,
    wideOnly: true,
    cell: ({ next_attempt_at }) =>
      next_attempt_at === null ? <Text c="dimmed">—</Text> : <Time value={next_attempt_at} />,
  },
  {
    id: 'created',
    header: headers.created,
    wideOnly: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
  {
    id: 'actions',
    header: headers.actions,
    isActions: true,
    wideOnly: true,
    cell: (delivery) => <Redeliver {...{ delivery }} />,
  },
];

/** The deliveries of a webhook. An open one shows its attempts and its payload, and its id is in the address. */
export function DeliveriesList({ webhookId }: { webhookId: string }) {
  const list = useDeliveries(webhookId);
  const [{ delivery: openKey }, setOpen] = useUrlState(noneOpen);
  return (
    <section aria-labelledby="deliveries">
      <Title order={2} id="deliveries">
        {text.title}
      </Title>
      <Text c="dimmed" mb="sm">
        {text.about}
      </Text>
      <DataTable
        label={text.title}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState {...text.empty} />}
        details={{
          openKey,
          onToggle: (key) => setOpen({ delivery: key === openKey ? '' : key }),
          label: ({ event }) => text.open(event),
          render: (delivery) => <DeliveryDetail delivery={delivery} />,
        }}
      />
    </section>
  );
}
