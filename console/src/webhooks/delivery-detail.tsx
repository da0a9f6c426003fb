import { Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { brand } from '@postrider/contract/brand';
import type { Delivery, DeliveryAttempt } from 'postrider';
import { webhooksText } from '#strings/webhooks.ts';
import { EventFacts } from '../events/event-facts.tsx';
import { useRead } from '../lib/query.ts';
import { fullTime } from '../lib/times.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { FactList } from '../parts/fact-list.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { awaitedId } from './webhook-state.tsx';

const text = webhooksText.delivery;

const headerFacts = [
  { name: 'webhook-id', value: text.headerMeanings.id },
  { name: 'webhook-timestamp', value: text.headerMeanings.timestamp },
  { name: 'webhook-signature', value: text.headerMeanings.signature },
  { name: brand.headers.signature, value: text.headerMeanings.own },
  { name: brand.headers.event, value: text.headerMeanings.event },
];

/** A delivery: its attempts, its payload, and the headers that sign it. */
export function DeliveryDetail({ delivery }: { delivery: Delivery }) {
  const { id, event_id, attempts } = delivery;
  return (
    <Stack gap="md">
      <Group gap="lg">
        <Identifier name={text.deliveryId} id={id} />
        <Identifier name={text.eventId} id={event_id} />
      </Group>
      <div>
        <Title order={3}>{text.attempts}</Title>
        {attempts.length === 0 && <Text c="dimmed">{text.none}</Text>}
        <Stack component="ol" gap={6} mt={6} mb={0} p={0}>
          {attempts.map((attempt, index) => (
            <Attempt key={attempt.at} attempt={attempt} number={index + 1} />
          ))}
        </Stack>
      </div>
      {id !== awaitedId && <Payload deliveryId={id} />}
      <div>
        <Title order={3}>{text.headers}</Title>
        <Text c="dimmed">{text.headersAbout}</Text>
        <FactList facts={headerFacts} />
      </div>
    </Stack>
  );
}

function Identifier({ name, id }: { name: string; id: string }) {
  if (id === '') return null;
  return (
    <Group gap={4} wrap="nowrap">
      <Text c="dimmed">{name}</Text>
      <Code>{id}</Code>
      <CopyButton value={id} label={`${name}: ${id}`} size="xs" />
    </Group>
  );
}

function Attempt({ attempt, number }: { attempt: DeliveryAttempt; number: number }) {
  const { at, status_code, error, duration_ms } = attempt;
  const isFine = status_code !== null && status_code >= 200 && status_code < 300;
  return (
    <Group component="li" gap="4px 10px">
      <Text span c="dimmed" miw="1.2em" aria-hidden>
        {number}
      </Text>
      <StatusBadge tone={isFine ? 'good' : 'bad'}>
        {status_code === null ? text.noStatus : text.status(status_code)}
      </StatusBadge>
      <span>{text.duration(duration_ms)}</span>
      <time dateTime={at}>{fullTime(at)}</time>
      {error !== null && (
        <Text span w="100%" pl="calc(1.2em + 10px)" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
    </Group>
  );
}

function Payload({ deliveryId }: { deliveryId: string }) {
  // The JSON that a redelivery would post; null once the event is no longer kept.
  const { data, isPending, error, refetch } = useRead(['delivery-body', deliveryId], async ({ ask }) => {
    const { body } = await ask('records.deliveryBody', { params: { id: deliveryId } });
    return body;
  });
  return (
    <div>
      <Title order={3}>{text.payload}</Title>
      <Text c="dimmed" mb={6}>
        {data === null ? text.payloadGone : text.payloadAbout}
      </Text>
      {isPending && <Skeleton height={200} />}
      {error && <ApiProblem error={error} onRetry={() => void refetch()} />}
      {typeof data === 'string' && <EventFacts event={JSON.parse(data)} json={data} />}
    </div>
  );
}
