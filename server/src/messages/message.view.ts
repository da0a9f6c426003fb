import {
  type DeliveryStatus,
  type DroppedRecipient,
  deliveryStatusesBestFirst,
  limits,
  type Message,
  type SendReceipt,
  type SentMessage,
} from '@postrider/contract';
import { type LinkDeps, viewAttachment } from '../attachments/attachment.view.ts';
import type { Page } from '../lib/cursor.ts';
import { fitPage } from '../lib/fit-answer.ts';
import { cutBytes } from '../lib/texts.ts';
import type { MessageDetails } from './message-details.ts';
import type { MessageRow } from './store/message-record.ts';

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
    delivery_status: worstDeliveryStatus(details),
    read: row.is_read,
    metadata: row.metadata,
    labels: details.labels.map(({ id, name, color }) => ({ id, name, color })),
    attachments: details.attachments.map((file) => viewAttachment(deps, file)),
    message_id: row.message_id_header,
    in_reply_to: row.in_reply_to,
    provider_message_id: findProviderMessageId(details),
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
export function worstDeliveryStatus({ row, recipients }: MessageDetails): DeliveryStatus {
  return recipients.map(({ status }) => status).reduce(worse, recipients[0]?.status ?? row.delivery_status);
}

/** Returns the provider's id of the message; null if the provider took it for no recipient. */
export function findProviderMessageId({ recipients }: MessageDetails): string | null {
  return recipients.find((recipient) => recipient.provider_message_id !== null)?.provider_message_id ?? null;
}

function worse(a: DeliveryStatus, b: DeliveryStatus): DeliveryStatus {
  return statusRank(a) > statusRank(b) ? a : b;
}

function statusRank(status: DeliveryStatus): number {
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

/** Whether large fields are shown whole, as when one message is read, or cut, as in lists, threads and events. */
export type Extent = 'whole' | 'cut';

type LargeFields = Pick<
  Message,
  | 'to_addrs'
  | 'cc_addrs'
  | 'bcc_addrs'
  | 'reply_to_addrs'
  | 'envelope_to'
  | 'body_text'
  | 'body_html'
  | 'extracted_text'
  | 'references'
>;

/** Returns the fields of a message that may be large, and the names of those that were cut, here or when the mail was read. */
export function showLarge(
  row: MessageRow,
  extent: Extent,
): LargeFields & Pick<Message, 'body_truncated' | 'truncated'> {
  const truncated: string[] = [];
  const note = <T>(field: keyof LargeFields, value: T, shown: T): T => {
    if (shown !== value) truncated.push(field);
    return shown;
  };
  const body = (field: keyof LargeFields, value: string | null) =>
    value === null || extent === 'whole' ? value : note(field, value, cutText(value));
  const list = (field: keyof LargeFields, value: string[], cut: (list: string[]) => string[]) =>
    extent === 'whole' ? value : note(field, value, cut(value));
  const bodies = {
    body_text: body('body_text', row.body_text),
    body_html: body('body_html', row.body_html),
    extracted_text: body('extracted_text', row.extracted_text),
    body_truncated: truncated.length > 0,
  };
  return {
    to_addrs: list('to_addrs', row.to_addrs, cutAddresses),
    cc_addrs: list('cc_addrs', row.cc_addrs, cutAddresses),
    bcc_addrs: list('bcc_addrs', row.bcc_addrs, cutAddresses),
    reply_to_addrs: list('reply_to_addrs', row.reply_to_addrs, cutAddresses),
    envelope_to: list('envelope_to', row.envelope_to, cutAddresses),
    ...bodies,
    references: list('references', row.reference_ids, cutReferences),
    truncated: [...new Set([...truncated, ...row.cut_fields])],
  };
}

function cutText(text: string): string {
  return cutBytes(text, limits.listedBodyBytesMax).text;
}

function cutAddresses(list: string[]): string[] {
  return list.length <= limits.listedAddressesMax ? list : list.slice(0, limits.listedAddressesMax);
}

/** Keeps the first id and the last ones: the beginning and the end of a conversation tell the most. */
function cutReferences(list: string[]): string[] {
  return list.length <= limits.listedReferencesMax
    ? list
    : [...list.slice(0, 1), ...list.slice(1 - limits.listedReferencesMax)];
}

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
