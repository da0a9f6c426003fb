import { Alert, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react';
import type { Webhook } from 'postrider';
import { useParams } from 'react-router';
import { webhooksText } from '#strings/webhooks.ts';
import { useInboxAddress } from '../lib/inboxes.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { FactList } from '../parts/fact-list.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Time } from '../parts/time.tsx';
import { DeliveriesList } from './deliveries-list.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { useLastDelivery, useWebhook } from './webhook-queries.ts';
import { hasFailed, WebhookState } from './webhook-state.tsx';

const text = webhooksText.detail;
const back = { to: '/webhooks', label: webhooksText.back };

/** One webhook: its events, whether it is enabled, and its deliveries. */
export function WebhookPage() {
  const { id = '' } = useParams();
  const { data: webhook, error, refetch } = useWebhook(id);
  if (!webhook && error)
    return (
      <>
        <PageHeader title={webhooksText.title} back={back} />
        <ApiProblem error={error} onRetry={() => void refetch()} />
      </>
    );
  return (
    <>
      <PageHeader
        title={webhook?.url ?? webhooksText.title}
        back={back}
        {...(webhook ? { actions: <WebhookActions webhook={webhook} /> } : {})}
      />
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
        {
          name: columns.state,
          value: <WebhookState webhook={webhook} />,
        },
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
