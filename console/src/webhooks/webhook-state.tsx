import type { Delivery, Webhook } from 'postrider';
import { webhooksText } from '#strings/webhooks.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { useLastDelivery } from './webhook-queries.ts';

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
