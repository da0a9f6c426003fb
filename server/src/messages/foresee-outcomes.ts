import { limits } from '@postrider/contract';
import type { Context } from '../context.ts';
import type { OutgoingRecipient } from './deliverable.ts';
import { type DeliveryChange, decideDelivery } from './delivery-outcome.ts';

/** What becomes of recipients by the message being stored, by their addresses. */
export type ForeseenOutcomes = ReadonlyMap<string, DeliveryChange>;

/**
 * The recipients to whom nothing will be handed over, as in the sandbox all that are not here: what becomes of them is stored
 * with the message, instead of in a transaction of its own after it.
 */
export const foreseeOutcomes = async (
  ctx: Context,
  recipients: OutgoingRecipient[],
  at: Date,
): Promise<ForeseenOutcomes> => {
  const transport = ctx.isTest ? ctx.testTransport : ctx.transport;
  const expiresAt = ctx.timeScale.after(at, limits.deliveryExpiryMs);
  const foreseen = new Map<string, DeliveryChange>();
  if (!transport.foresee) return foreseen;
  const outcomes = await Promise.all(recipients.map(({ address }) => transport.foresee?.(address)));
  for (const [index, { address: recipient }] of recipients.entries()) {
    const outcome = outcomes[index];
    if (!outcome) continue;
    ctx.metrics.deliveries.inc({ outcome: outcome.kind });
    const attempt = { recipient, attempts: 1, expiresAt, at, timeScale: ctx.timeScale };
    foreseen.set(recipient, decideDelivery(outcome, attempt));
  }
  return foreseen;
};
