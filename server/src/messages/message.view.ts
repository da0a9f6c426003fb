import { type DeliveryStatus, deliveryStatusesBestFirst, type Message } from '@postrider/contract';
import { type LinkDeps, viewAttachment } from '../attachments/attachment.view.ts';
import type { Page } from '../lib/cursor.ts';
import { fitPage } from '../lib/fit-answer.ts';
import { type Extent, showLarge } from './large-fields.ts';
import type { MessageDetails } from './message-details.ts';

/** Returns a message as the API shows it, with fresh attachment links. */
export function viewMessage(deps: LinkDeps, details: MessageDetails, extent: Extent): Message {
  const { row } = details;
  return {
    id: row.id,
    thread_id: row.thread_id,
    inbox_id: row.inbox_id,
    direction: row.direction,
    from_addr: row.from_addr,
    from_name: row.from_name,
    ...showLarge(row, extent),
    envelope_from: row.envelope_from,
    subject: row.subject,
    snippet: row.snippet,
    delivery_status: deliveryStatusOf(details),
    read: row.is_read,
    metadata: row.metadata,
    labels: details.labels.map(({ id, name, color }) => ({ id, name, color })),
    attachments: details.attachments.map((file) => viewAttachment(deps, file)),
    message_id: row.message_id_header,
    in_reply_to: row.in_reply_to,
    provider_message_id: providerMessageIdOf(details),
    client_id: row.client_id,
    recipients: details.recipients.map((recipient) => ({
      address: recipient.address,
      status: recipient.status,
      detail: recipient.detail,
      sandboxed: recipient.sandboxed,
      updated_at: recipient.updated_at.toISOString(),
    })),
    authentication: row.authentication,
    auto_submitted: row.auto_submitted,
    hidden_text: row.hidden_text,
    size_bytes: row.size_bytes,
    created_at: row.created_at.toISOString(),
  };
}

/** Returns the worst status of the recipients; `received` for an inbound message. */
export function deliveryStatusOf({ row, recipients }: MessageDetails): DeliveryStatus {
  return recipients.map(({ status }) => status).reduce(worse, recipients[0]?.status ?? row.delivery_status);
}

/** Returns the provider's id of the message; null if the provider took it for no recipient. */
export function providerMessageIdOf({ recipients }: MessageDetails): string | null {
  return recipients.find((recipient) => recipient.provider_message_id !== null)?.provider_message_id ?? null;
}

function worse(a: DeliveryStatus, b: DeliveryStatus): DeliveryStatus {
  return rankOf(a) > rankOf(b) ? a : b;
}

function rankOf(status: DeliveryStatus): number {
  return (deliveryStatusesBestFirst as readonly DeliveryStatus[]).indexOf(status);
}

/** Returns a page of messages as lists show them. It ends early if the response would become too large. */
export async function viewPage(
  deps: LinkDeps,
  page: Page<MessageDetails>,
): Promise<{ messages: Message[]; next_cursor: string | null }> {
  const view = (message: MessageDetails) => viewMessage(deps, message, 'cut');
  const { items, nextCursor } = await fitPage(page, view, ({ row }) => [row.id]);
  return { messages: items, next_cursor: nextCursor };
}
