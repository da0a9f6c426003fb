import { Group, Skeleton, Text } from '@mantine/core';
import type { Webhook } from 'postrider';
import { lazy } from 'react';
import { Link } from 'react-router';
import { eventKindText } from '#strings/events.ts';
import { partsText } from '#strings/parts.ts';
import { webhooksText } from '#strings/webhooks.ts';
import { itemsIn, useList } from '../lib/query.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { ListPage } from '../lists/list-page.tsx';
import { apiSnippets } from '../parts/code-block.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Time } from '../parts/time.tsx';
import { DeliveryState, useLastDelivery, WebhookState } from './webhook-state.tsx';

const CreateWebhook = lazy(async () => ({ default: (await import('./webhook-form.tsx')).CreateWebhook }));
const { columns: headers } = webhooksText;
const exampleUrl = 'https://agent.example.com/hooks';

const columns: Column<Webhook>[] = [
  {
    header: headers.url,
    cell: ({ id, url }) => (
      <Link to={`/webhooks/${id}`} className="console-link" data-clamped title={url}>
        {url}
      </Link>
    ),
  },
  {
    header: headers.state,
    width: '110px',
    inCorner: true,
    cell: (webhook) => <WebhookState webhook={webhook} />,
  },
  {
    header: headers.events,
    width: '220px',
    cell: ({ events }) => (
      <Text span lineClamp={2} title={events.join(', ')}>
        {events.map((kind) => eventKindText[kind].name).join(partsText.listSeparator)}
      </Text>
    ),
  },
  {
    header: headers.inboxes,
    width: '100px',
    cell: ({ inbox_ids }) =>
      inbox_ids === null ? webhooksText.allInboxes : webhooksText.inboxes(inbox_ids.length),
  },
  { header: headers.last, width: '210px', isShort: true, cell: ({ id }) => <LastDelivery webhookId={id} /> },
];

/** The webhooks of the workspace. */
export function WebhooksPage() {
  const list = useList(['webhooks', 'list'], ({ api, signal }, cursor) =>
    itemsIn('webhooks', api.webhooks.list({ cursor }, { signal })),
  );
  const { title, message, memberMessage } = webhooksText.empty;
  const empty = { title, message: useIsOwner() ? message : memberMessage };
  return (
    <ListPage
      text={{ ...webhooksText, empty }}
      picture="plug"
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      create={{ label: webhooksText.create, Dialog: CreateWebhook, isForOwners: true }}
      snippets={webhookSnippets}
    />
  );
}

function LastDelivery({ webhookId }: { webhookId: string }) {
  const { data, isPending } = useLastDelivery(webhookId);
  if (isPending) return <Skeleton height={14} width={90} />;
  if (!data) return <Text c="dimmed">{webhooksText.noDelivery}</Text>;
  return (
    <Group gap={6} wrap="nowrap">
      <DeliveryState delivery={data} />
      <Time value={data.created_at} />
    </Group>
  );
}

function webhookSnippets(apiUrl: string) {
  return apiSnippets(apiUrl, {
    path: '/webhooks',
    body: { url: exampleUrl, events: ['message.received'] },
    sdk: `const { secret } = await client.webhooks.create({ url: '${exampleUrl}', events: ['message.received'] });`,
  });
}
