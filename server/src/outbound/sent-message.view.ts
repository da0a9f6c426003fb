import type { DroppedRecipient, SendReceipt, SentMessage } from '@postrider/contract';
import type { LinkDeps } from '../attachments/attachment.view.ts';
import { findProviderMessageId, viewMessage, worstDeliveryStatus } from '../messages/message.view.ts';
import type { MessageDetails } from '../messages/message-details.ts';

/** A message that was sent now, or before if `idempotent`. */
export interface Sent {
  message: MessageDetails;
  idempotent: boolean;
  /** Whether it was sent before for a request that asked for something else. */
  differs: boolean;
  dropped: DroppedRecipient[];
}

/** Returns the response of `messages.send`: 201, or 200 for a repeat. */
export function viewReceipt({ message, idempotent, differs, dropped }: Sent): {
  status: 200 | 201;
  body: SendReceipt;
} {
  return {
    status: idempotent ? 200 : 201,
    body: {
      id: message.row.id,
      thread_id: message.row.thread_id,
      message_id: message.row.message_id_header,
      provider_message_id: findProviderMessageId(message),
      idempotent,
      ...(differs && { differs }),
      dropped,
      delivery_status: worstDeliveryStatus(message),
    },
  };
}

/** Returns the response of `messages.reply` and `messages.forward`, which is the message itself. */
export function viewSent(
  deps: LinkDeps,
  { message, idempotent, differs, dropped }: Sent,
): { status: 200 | 201; body: SentMessage } {
  return {
    status: idempotent ? 200 : 201,
    body: { ...viewMessage(deps, message, 'whole'), idempotent, ...(differs && { differs }), dropped },
  };
}
