import type { DeliveryStatus, DroppedRecipient, SendReceipt, SentMessage } from '@postrider/contract';
import type { Context } from '../context.ts';
import { deliveryStatusOf, viewMessage } from './message.view.ts';
import { loadDetails } from './message-details.ts';
import type { MessageRow } from './message-record.ts';

/** A message that was sent now or, when `idempotent`, before. */
export interface Sent {
  row: MessageRow;
  idempotent: boolean;
  dropped: DroppedRecipient[];
}

/** The answer of `messages.send`: 201, or 200 for a repeat. */
export const viewReceipt = async (
  ctx: Context,
  { row, idempotent, dropped }: Sent,
): Promise<{ status: 200 | 201; body: SendReceipt }> => ({
  status: idempotent ? 200 : 201,
  body: {
    id: row.id,
    thread_id: row.thread_id,
    message_id: row.message_id_header,
    provider_message_id: row.provider_message_id,
    idempotent,
    dropped,
    delivery_status: await presentStatus(ctx, row),
  },
});

/** Whether it is being handed over stands with its recipients; that is rare, and what is settled costs no query. */
const presentStatus = async (ctx: Context, row: MessageRow): Promise<DeliveryStatus> => {
  if (row.delivery_status !== 'queued') return row.delivery_status;
  const [details] = await loadDetails(ctx, [row]);
  return details ? deliveryStatusOf(details) : row.delivery_status;
};

/** The answer of `messages.reply` and `messages.forward`: the message itself. */
export const viewSent = async (
  ctx: Context,
  sent: Sent,
): Promise<{ status: 200 | 201; body: SentMessage }> => {
  const [details] = await loadDetails(ctx, [sent.row]);
  const { idempotent, dropped } = sent;
  return {
    status: idempotent ? 200 : 201,
    body: { ...viewMessage(ctx, details!, 'whole'), idempotent, dropped },
  };
};
