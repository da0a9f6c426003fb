import { limits } from '@postrider/contract';
import type { Context } from '../context.ts';
import type { Transport } from '../mail/transport.ts';
import type { OutgoingRecipient } from './deliverable.ts';
import { type DeliveryChange, decideDelivery } from './delivery-outcome.ts';

/** What becomes of recipients by the message being stored, by their addresses. */
export type ForeseenOutcomes = ReadonlyMap<string, DeliveryChange>;

/** Whether an outcome can be foreseen for an address that is not here, so that it matters whether it is. */
export const dependsOnPlace = (ctx: Context, address: string): boolean =>
  Boolean(transportOf(ctx).foresee?.(address, false));

const transportOf = (ctx: Context): Transport => (ctx.isTest ? ctx.testTransport : ctx.transport);

/**
 * The recipients to whom nothing will be handed over, as in the sandbox all that are not here: what becomes of them is stored
 * with the message, instead of in a transaction of its own after it.
 */
export const foreseeOutcomes = (
  ctx: Context,
  recipients: OutgoingRecipient[],
  here: ReadonlySet<string>,
  at: Date,
): ForeseenOutcomes => {
  const transport = transportOf(ctx);
  const expiresAt = ctx.timeScale.after(at, limits.deliveryExpiryMs);
  const foreseen = new Map<string, DeliveryChange>();
  for (const { address: recipient } of recipients) {
    const outcome = transport.foresee?.(recipient, here.has(recipient));
    if (!outcome) continue;
    ctx.metrics.deliveries.inc({ outcome: outcome.kind });
    const attempt = { recipient, attempts: 1, expiresAt, at, timeScale: ctx.timeScale };
    foreseen.set(recipient, decideDelivery(outcome, attempt));
  }
  return foreseen;
};
