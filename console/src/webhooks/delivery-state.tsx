import type { Delivery, DeliveryAttempt } from 'postrider';
import { webhooksText } from '#strings/webhooks.ts';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { awaitedId } from './webhook-queries.ts';

const text = webhooksText.deliveries;
const tones: Record<Delivery['status'], Tone> = { pending: 'waiting', succeeded: 'good', failed: 'bad' };

/** The state of a delivery as a badge. */
export function DeliveryState({ delivery: { id, status } }: { delivery: Pick<Delivery, 'id' | 'status'> }) {
  return (
    <StatusBadge tone={tones[status]}>{id === awaitedId ? text.sending : text.state[status]}</StatusBadge>
  );
}

/** Returns how an attempt ended: the status of the response, or why there was none. */
export function describeEnd(attempt: DeliveryAttempt | undefined): string {
  const { noStatus, status } = webhooksText.delivery;
  if (attempt === undefined) return noStatus;
  const code = attempt.status_code === null ? null : status(attempt.status_code);
  return [code, attempt.error].filter((part) => part !== null).join(', ') || noStatus;
}
