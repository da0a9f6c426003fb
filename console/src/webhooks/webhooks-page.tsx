import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import type { Webhook } from 'postrider';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { webhooksText } from '#strings/webhooks.ts';
import { useSession } from '../lib/session.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { OwnersOnly } from '../parts/owners-only.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Time } from '../parts/time.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { useLastDelivery, useWebhooks } from './webhook-queries.ts';
import { webhookSnippets } from './webhook-snippets.ts';
import { WebhookState } from './webhook-state.tsx';

const CreateWebhook = lazy(async () => ({
  default: (await import('./create-webhook.tsx')).CreateWebhook,
}));
const { columns: headers } = webhooksText;

const columns: Column<Webhook>[] = [
  {
    id: 'url',
    header: headers.url,
    cell: ({ id, url }) => (
      <Link to={`/webhooks/${id}`} className="console-link" data-clamped title={url}>
        {url}
      </Link>
    ),
  },
  {
    id: 'events',
    header: headers.events,
    wideOnly: true,
    cell: ({ events }) => events.join(', '),
  },
  {
    id: 'inboxes',
    header: headers.inboxes,
    isShort: true,
    wideOnly: true,
    cell: ({ inbox_ids }) => (
      <>{inbox_ids === null ? webhooksText.allInboxes : webhooksText.inboxes(inbox_ids.length)}</>
    ),
  },
  {
    id: 'state',
    header: headers.state,
    isShort: true,
    cell: (webhook) => <WebhookState webhook={webhook} />,
  },
  { id: 'last', header: headers.last, isShort: true, cell: ({ id }) => <LastDelivery webhookId={id} /> },
];

/** The webhooks of the workspace. */
export function WebhooksPage() {
  const list = useWebhooks();
  const isOwner = useIsOwner();
  const { api_url } = useSession().server;
  const [isCreating, { open, close }] = useDisclosure(false);
  const [wasOpened, setOpened] = useState(false);
  function begin() {
    setOpened(true);
    open();
  }
  const create = (
    <OwnersOnly>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={begin}>
        {webhooksText.create}
      </Button>
    </OwnersOnly>
  );
  const { empty } = webhooksText;
  return (
    <>
      <PageHeader title={webhooksText.title} about={webhooksText.about} actions={create} />
      <DataTable
        label={webhooksText.title}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            title={empty.title}
            message={isOwner ? empty.message : empty.memberMessage}
            {...(isOwner ? { action: create } : {})}
            snippets={webhookSnippets(api_url)}
          />
        }
      />
      <Suspense>{wasOpened && <CreateWebhook isOpen={isCreating} onClose={close} />}</Suspense>
    </>
  );
}

function LastDelivery({ webhookId }: { webhookId: string }) {
  const { data, isPending } = useLastDelivery(webhookId);
  if (isPending) return <Skeleton height={14} width={90} />;
  if (!data) return <Text c="dimmed">{webhooksText.noDelivery}</Text>;
  return (
    <Group gap={6} wrap="nowrap">
      <DeliveryState delivery={data} />
      <Text span visibleFrom="sm">
        <Time value={data.created_at} />
      </Text>
    </Group>
  );
}
