import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Delivery } from 'postrider';
import type { ItemPage } from '../lib/paging.ts';
import { type Clients, useChange, useClients, useRead } from '../lib/query.ts';
import { useQueryKey } from '../lib/workspace.ts';

/** A delivery that waits is looked at this often, and a list in which nothing waits less often. */
export const pendingMs = 2_000;
/** The interval at which things that can fail at any time are checked. */
export const settledMs = 10_000;

/** Reads a webhook. */
export function useWebhook(id: string) {
  return useRead(['webhooks', id], ({ api, signal }) => api.webhooks.get(id, { signal }), {
    refetchInterval: settledMs,
  });
}

/** Reads the newest delivery of a webhook; null if there is none. */
export function useLastDelivery(id: string) {
  return useRead(
    ['deliveries', id, 'last'],
    async ({ api, signal }) =>
      (await api.webhooks.deliveries(id, { limit: 1 }, { signal })).deliveries[0] ?? null,
    { refetchInterval: settledMs },
  );
}

/** Changes a webhook, and shows the change at once. */
export function useWebhookChange<Input, Result>(
  change: (webhooks: Clients['api']['webhooks'], input: Input) => PromiseLike<Result>,
) {
  return useChange(({ api }, input: Input) => change(api.webhooks, input), ['webhooks']);
}

/** Posts a sample event to a webhook. */
export function useTestWebhook(id: string) {
  return useDeliveryByHand(id, ({ api }, _: undefined) => api.webhooks.test(id));
}

/** Posts the event of a delivery again. */
export function useRedeliver(webhookId: string) {
  return useDeliveryByHand(webhookId, ({ api }, { id }: Delivery) => api.deliveries.redeliver(id));
}

/** Makes a delivery that the server responds to after its first attempt. Until then the list has a row for it. */
function useDeliveryByHand<Input extends Delivery | undefined>(
  webhookId: string,
  deliver: (clients: Clients, input: Input) => PromiseLike<Delivery>,
) {
  const queries = useQueryClient();
  const clients = useClients();
  const deliveriesKey = useQueryKey('deliveries', webhookId);
  const listKey = useQueryKey('deliveries', webhookId, 'list');
  return useMutation({
    mutationFn: async (input: Input) => deliver(clients, input),
    onMutate: async (input) => {
      await queries.cancelQueries({ queryKey: listKey });
      queries.setQueryData<InfiniteData<ItemPage<Delivery>>>(listKey, (data) =>
        withFirst(data, awaited(webhookId, input)),
      );
    },
    onSettled: () => queries.invalidateQueries({ queryKey: deliveriesKey }),
  });
}

/** The id of the row for a delivery whose first attempt is being made. */
export const awaitedId = 'awaited';

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
