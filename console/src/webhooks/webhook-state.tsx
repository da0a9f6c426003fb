import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Delivery, DeliveryAttempt, Webhook } from 'postrider';
import { webhooksText } from '#strings/webhooks.ts';
import type { ItemPage } from '../lib/paging.ts';
import { useClients, useRead } from '../lib/query.ts';
import { useQueryKey } from '../lib/workspace.ts';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';

/** The interval at which things that can fail at any time are checked. */
export const settledMs = 10_000;
/** The id of the row for a delivery whose first attempt is being made. */
export const awaitedId = 'awaited';

const tones: Record<Delivery['status'], Tone> = { pending: 'waiting', succeeded: 'good', failed: 'bad' };

/** Reads the newest delivery of a webhook; null if there is none. */
export function useLastDelivery(id: string) {
  return useRead(
    ['deliveries', id, 'last'],
    async ({ api, signal }) =>
      (await api.webhooks.deliveries(id, { limit: 1 }, { signal })).deliveries[0] ?? null,
    { refetchInterval: settledMs },
  );
}

/** The state of a webhook as a badge: an enabled one whose newest delivery failed, so far or for good, is failing. */
export function WebhookState({ webhook: { id, enabled } }: { webhook: Pick<Webhook, 'id' | 'enabled'> }) {
  const { data: last } = useLastDelivery(id);
  const { state } = webhooksText;
  if (!enabled) return <StatusBadge tone="quiet">{state.disabled}</StatusBadge>;
  if (hasFailed(last)) return <StatusBadge tone="bad">{state.failing}</StatusBadge>;
  return <StatusBadge tone="good">{state.enabled}</StatusBadge>;
}

/** Returns whether a delivery failed, also if it is going to be tried again. */
export function hasFailed(delivery: Delivery | null | undefined): boolean {
  if (!delivery) return false;
  return delivery.status === 'failed' || (delivery.status === 'pending' && delivery.attempts.length > 0);
}

/** The state of a delivery as a badge. */
export function DeliveryState({ delivery: { id, status } }: { delivery: Pick<Delivery, 'id' | 'status'> }) {
  const { sending, state } = webhooksText.deliveries;
  return <StatusBadge tone={tones[status]}>{id === awaitedId ? sending : state[status]}</StatusBadge>;
}

/** Returns a function that posts an event, again or as a sample, and returns the notice about it. Until then, the list has a row for it. */
export function useDeliver(webhookId: string, texts: DeliverTexts, repeated?: Delivery) {
  const queries = useQueryClient();
  const { api } = useClients();
  const deliveriesKey = useQueryKey('deliveries', webhookId);
  const listKey = [...deliveriesKey, 'list'];
  const { mutateAsync } = useMutation({
    mutationFn: async () => (repeated ? api.deliveries.redeliver(repeated.id) : api.webhooks.test(webhookId)),
    onMutate: async () => {
      await queries.cancelQueries({ queryKey: listKey });
      queries.setQueryData<InfiniteData<ItemPage<Delivery>>>(listKey, (data) =>
        withFirst(data, awaited(webhookId, repeated)),
      );
    },
    onSettled: () => queries.invalidateQueries({ queryKey: deliveriesKey }),
  });
  return async () => {
    const { status, attempts } = await mutateAsync();
    const last = attempts.at(-1);
    return status === 'succeeded'
      ? { message: texts.succeeded(last?.status_code ?? null) }
      : { message: texts.failed(describeEnd(last)), tone: 'bad' as const };
  };
}

interface DeliverTexts {
  succeeded(status: number | null): string;
  failed(reason: string): string;
}

function describeEnd(attempt: DeliveryAttempt | undefined): string {
  const { noStatus, status } = webhooksText.delivery;
  if (attempt === undefined) return noStatus;
  const code = attempt.status_code === null ? null : status(attempt.status_code);
  return [code, attempt.error].filter((part) => part !== null).join(', ') || noStatus;
}

function awaited(webhookId: string, repeated: Delivery | undefined): Delivery {
  return {
    id: awaitedId,
    webhook_id: webhookId,
    event_id: repeated?.event_id ?? '',
    event: repeated?.event ?? 'message.received',
    status: 'pending',
    attempts: [],
    next_attempt_at: null,
    created_at: new Date().toISOString(),
  };
}

function withFirst(data: InfiniteData<ItemPage<Delivery>> | undefined, first: Delivery) {
  const [page, ...rest] = data?.pages ?? [];
  if (!data || !page) return data;
  return { ...data, pages: [{ ...page, items: [first, ...page.items] }, ...rest] };
}
