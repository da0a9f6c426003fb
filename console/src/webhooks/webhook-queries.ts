import { type InfiniteData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CreateWebhook, Delivery, DeliveryPage, UpdateWebhook, Webhook, WebhookPage } from 'postrider';
import { useApi } from '../lib/api.ts';
import { askConsole } from '../lib/ask-console.ts';
import { type PagedList, usePagedList } from '../lib/paging.ts';
import { useQueryKey, useWorkspace } from '../lib/workspace.ts';

const pickWebhooks = ({ webhooks }: WebhookPage) => webhooks;
const pickDeliveries = ({ deliveries }: DeliveryPage) => deliveries;

/** A delivery that waits is looked at this often, and a list in which nothing waits less often. */
const pendingMs = 2_000;
const settledMs = 10_000;

/** Reads the webhooks of the workspace, newest first. */
export function useWebhooks(): PagedList<Webhook> {
  const api = useApi();
  return usePagedList({
    queryKey: useQueryKey('webhooks', 'list'),
    read: (cursor, signal) => api.webhooks.list({ cursor }, { signal }),
    pickItems: pickWebhooks,
  });
}

/** Reads a webhook. */
export function useWebhook(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: useQueryKey('webhooks', id),
    queryFn: ({ signal }) => api.webhooks.get(id, { signal }),
    refetchInterval: settledMs,
  });
}

/** Reads the newest delivery of a webhook; null if there is none. */
export function useLastDelivery(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: useQueryKey('deliveries', id, 'last'),
    queryFn: async ({ signal }): Promise<Delivery | null> => {
      const { deliveries } = await api.webhooks.deliveries(id, { limit: 1 }, { signal });
      return deliveries[0] ?? null;
    },
    refetchInterval: settledMs,
  });
}

/** Reads the deliveries of a webhook, newest first, and follows them. */
export function useDeliveries(id: string): PagedList<Delivery> {
  const api = useApi();
  return usePagedList({
    queryKey: useQueryKey('deliveries', id, 'list'),
    read: (cursor, signal) => api.webhooks.deliveries(id, { cursor }, { signal }),
    pickItems: pickDeliveries,
    refetchMs: (items) => (items.some(({ status }) => status === 'pending') ? pendingMs : settledMs),
  });
}

/** Reads the JSON that a redelivery would post; null once the event is no longer kept. */
export function useDeliveryBody(id: string) {
  const { workspace_id: workspace } = useWorkspace();
  return useQuery({
    queryKey: useQueryKey('delivery-body', id),
    queryFn: async ({ signal }) => {
      const { body } = await askConsole('records.deliveryBody', { params: { id } }, { workspace, signal });
      return body;
    },
  });
}

/** Creates a webhook. The result has its secret, this one time. */
export function useCreateWebhook() {
  const api = useApi();
  return useWebhookChange((input: CreateWebhook) => api.webhooks.create(input));
}

/** Changes a webhook, and shows the change before the server has confirmed it. */
export function useUpdateWebhook(id: string) {
  const api = useApi();
  const queries = useQueryClient();
  const queryKey = useQueryKey('webhooks', id);
  const listKey = useQueryKey('webhooks');
  return useMutation({
    mutationFn: (input: UpdateWebhook) => api.webhooks.update(id, input),
    onSuccess: (webhook) => {
      queries.setQueryData(queryKey, webhook);
      return queries.invalidateQueries({ queryKey: listKey });
    },
  });
}

/** Replaces the secret of a webhook. The result has the new one, this one time. */
export function useRotateSecret(id: string) {
  const api = useApi();
  return useWebhookChange((_: undefined) => api.webhooks.rotateSecret(id));
}

/** Deletes a webhook. */
export function useDeleteWebhook(id: string) {
  const api = useApi();
  const queries = useQueryClient();
  const listKey = useQueryKey('webhooks', 'list');
  return useMutation({
    mutationFn: async () => api.webhooks.delete(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: listKey }),
  });
}

/** Posts a sample event to a webhook. */
export function useTestWebhook(id: string) {
  const api = useApi();
  return useDeliveryByHand(id, (_: undefined) => api.webhooks.test(id));
}

/** Posts the event of a delivery again. */
export function useRedeliver(webhookId: string) {
  const api = useApi();
  return useDeliveryByHand(webhookId, ({ id }: Delivery) => api.deliveries.redeliver(id));
}

function useWebhookChange<Input, Result>(change: (input: Input) => PromiseLike<Result>) {
  const queries = useQueryClient();
  const queryKey = useQueryKey('webhooks');
  return useMutation({
    mutationFn: async (input: Input) => change(input),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
}

/** Makes a delivery that the server responds to after its first attempt. Until then the list has a row for it. */
function useDeliveryByHand<Input extends Delivery | undefined>(
  webhookId: string,
  deliver: (input: Input) => PromiseLike<Delivery>,
) {
  const queries = useQueryClient();
  const deliveriesKey = useQueryKey('deliveries', webhookId);
  const listKey = useQueryKey('deliveries', webhookId, 'list');
  return useMutation({
    mutationFn: async (input: Input) => deliver(input),
    onMutate: async (input) => {
      await queries.cancelQueries({ queryKey: listKey });
      queries.setQueryData<InfiniteData<DeliveryPage>>(listKey, (data) =>
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

function withFirst(data: InfiniteData<DeliveryPage> | undefined, first: Delivery) {
  const [page, ...rest] = data?.pages ?? [];
  if (!data || !page) return data;
  return { ...data, pages: [{ ...page, deliveries: [first, ...page.deliveries] }, ...rest] };
}
