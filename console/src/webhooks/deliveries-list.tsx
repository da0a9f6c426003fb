import { Button, Code } from '@mantine/core';
import type { Delivery } from 'postrider';
import { webhooksText } from '#strings/webhooks.ts';
import { itemsIn, useList } from '../lib/query.ts';
import { ListSection } from '../lists/list-page.tsx';
import type { Column } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { notify } from '../parts/notify.ts';
import { notifyProblem } from '../parts/notify-problem.ts';
import { Time } from '../parts/time.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import { DeliveryState, describeEnd } from './delivery-state.tsx';
import { awaitedId, pendingMs, settledMs, useRedeliver } from './webhook-queries.ts';

const text = webhooksText.deliveries;
const { columns: headers } = text;

const columns: Column<Delivery>[] = [
  { id: 'event', header: headers.event, cell: ({ event }) => <Code>{event}</Code> },
  {
    id: 'state',
    header: headers.state,
    width: '110px',
    inCorner: true,
    cell: (delivery) => <DeliveryState delivery={delivery} />,
  },
  { id: 'attempts', header: headers.attempts, width: '90px', cell: ({ attempts }) => attempts.length },
  {
    id: 'next',
    header: headers.next,
    width: '130px',
    cell: ({ next_attempt_at }) => next_attempt_at !== null && <Time value={next_attempt_at} />,
  },
  {
    id: 'created',
    header: headers.created,
    width: '130px',
    cell: ({ created_at }) => <Time value={created_at} />,
  },
  {
    id: 'actions',
    header: headers.actions,
    width: '110px',
    isActions: true,
    cell: (delivery) => <Redeliver {...{ delivery }} />,
  },
];

/** The deliveries of a webhook, newest first. An open one shows its attempts and its payload, and its id is in the address. */
export function DeliveriesList({ webhookId }: { webhookId: string }) {
  const list = useList(
    ['deliveries', webhookId, 'list'],
    ({ api, signal }, cursor) =>
      itemsIn('deliveries', api.webhooks.deliveries(webhookId, { cursor }, { signal })),
    { refetchMs: (items) => (items.some(({ status }) => status === 'pending') ? pendingMs : settledMs) },
  );
  return (
    <ListSection
      title={text.title}
      about={text.about}
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      empty={<EmptyState {...text.empty} picture="plug" />}
      details={{
        field: 'delivery',
        label: ({ event }) => text.open(event),
        render: (delivery) => <DeliveryDetail delivery={delivery} />,
      }}
    />
  );
}

/** The button that posts the event of a delivery again. */
function Redeliver({ delivery }: { delivery: Delivery }) {
  const { mutate, isPending } = useRedeliver(delivery.webhook_id);
  if (delivery.id === awaitedId) return null;
  function redeliver() {
    mutate(delivery, {
      onSuccess: ({ status, attempts }) => {
        const isFine = status === 'succeeded';
        const message = isFine ? text.redelivered : text.redeliverFailed(describeEnd(attempts.at(-1)));
        void notify({ message, tone: isFine ? 'good' : 'bad' });
      },
      onError: notifyProblem,
    });
  }
  return (
    <Button size="compact-xs" variant="default" loading={isPending} onClick={redeliver}>
      {text.redeliver}
    </Button>
  );
}
