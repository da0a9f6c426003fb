import { type DeliveryStatus, deliveryStatusesBestFirst, limits, type Message } from '@postrider/contract';
import { type LinkDeps, viewAttachment } from '../attachments/attachment.view.ts';
import { cutBytes } from '../lib/clean-text.ts';
import type { MessageDetails } from './message-details.ts';

/** Whether bodies are given whole, as when one message is read, or cut, as in lists, threads and events. */
export type Bodies = 'whole' | 'cut';

/** A message as the API shows it, with fresh attachment links. */
export const viewMessage = (deps: LinkDeps, details: MessageDetails, bodies: Bodies): Message => {
  const { row } = details;
  const text = viewBody(row.body_text, bodies);
  const html = viewBody(row.body_html, bodies);
  const extracted = viewBody(row.extracted_text, bodies);
  return {
    id: row.id,
    thread_id: row.thread_id,
    inbox_id: row.inbox_id,
    direction: row.direction,
    from_addr: row.from_addr,
    from_name: row.from_name,
    to_addrs: row.to_addrs,
    cc_addrs: row.cc_addrs,
    bcc_addrs: row.bcc_addrs,
    reply_to_addrs: row.reply_to_addrs,
    envelope_from: row.envelope_from,
    envelope_to: row.envelope_to,
    subject: row.subject,
    body_text: text.text,
    body_html: html.text,
    extracted_text: extracted.text,
    body_truncated: text.truncated || html.truncated || extracted.truncated,
    snippet: row.snippet,
    delivery_status: deliveryStatusOf(details),
    labels: details.labels.map(({ id, name, color }) => ({ id, name, color })),
    attachments: details.attachments.map((file) => viewAttachment(deps, file)),
    message_id: row.message_id_header,
    in_reply_to: row.in_reply_to,
    references: row.reference_ids,
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

const viewBody = (body: string | null, bodies: Bodies): { text: string | null; truncated: boolean } =>
  body === null || bodies === 'whole'
    ? { text: body, truncated: false }
    : cutBytes(body, limits.listedBodyBytesMax);
