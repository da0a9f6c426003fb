import { type DeliveryStatus, deliveryStatusesBestFirst, type Message } from '@postrider/contract';
import { type LinkDeps, viewAttachment } from '../attachments/attachment.view.ts';
import { fitPage } from '../lib/fit-answer.ts';
import type { Page } from '../lib/page.ts';
import { type Extent, showLarge } from './large-fields.ts';
import type { MessageDetails } from './message-details.ts';

/** A message as the API shows it, with fresh attachment links. */
export const viewMessage = (deps: LinkDeps, details: MessageDetails, extent: Extent): Message => {
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
      updated_at: recipient.updated_at.toISOString(),
    })),
    authentication: row.authentication,
    auto_submitted: row.auto_submitted,
    size_bytes: row.size_bytes,
    created_at: row.created_at.toISOString(),
  };
};

/** The worst of its recipients; what came in is received. */
export const deliveryStatusOf = ({ row, recipients }: MessageDetails): DeliveryStatus =>
  recipients.map(({ status }) => status).reduce(worse, recipients[0]?.status ?? row.delivery_status);

/** What the provider calls the message, where it took it for any recipient. */
export const providerMessageIdOf = ({ recipients }: MessageDetails): string | null =>
  recipients.find((recipient) => recipient.provider_message_id !== null)?.provider_message_id ?? null;

const worse = (a: DeliveryStatus, b: DeliveryStatus): DeliveryStatus => (rankOf(a) > rankOf(b) ? a : b);

const rankOf = (status: DeliveryStatus): number =>
  (deliveryStatusesBestFirst as readonly DeliveryStatus[]).indexOf(status);

/** A page of messages as lists show them; it ends early where the answer would become too large. */
export const viewPage = async (
  deps: LinkDeps,
  page: Page<MessageDetails>,
): Promise<{ messages: Message[]; next_cursor: string | null }> => {
  const view = (message: MessageDetails) => viewMessage(deps, message, 'cut');
  const { items, nextCursor } = await fitPage(page, view, ({ row }) => [row.id]);
  return { messages: items, next_cursor: nextCursor };
};
