import type { MessageReceivedEvent } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { newId } from '../lib/ids.ts';
import { serializeEvents } from '../messages/render-events.ts';
import { type ClaimedDelivery, getDelivery } from './delivery.ts';

/**
 * Returns the JSON that a redelivery of the caller's delivery would post now: its event with the message in its current state. Null once
 * the event is no longer kept. A sample has different ids each time.
 *
 * @throws ApiError `not_found`.
 */
export async function showDeliveryBody(ctx: Context, id: string): Promise<string | null> {
  const delivery = await getDelivery(ctx, id);
  if (delivery.origin === 'sample') return JSON.stringify(sampleEvent(delivery));
  const event = await scoped(ctx)
    .selectFrom('events')
    .selectAll()
    .where('id', '=', delivery.event_id)
    .executeTakeFirst();
  if (!event) return null;
  const payloads = await serializeEvents(ctx, [event]);
  return payloads.get(event.id)?.bytes.toString('utf8') ?? null;
}

const text = 'This is a sample. It was sent because somebody tested this webhook; no such message exists.\n';

/** Returns a `message.received` as a webhook gets it, about a message that does not exist. */
export function sampleEvent(
  delivery: Pick<ClaimedDelivery, 'event_id' | 'workspace_id' | 'created_at'>,
): MessageReceivedEvent {
  const created_at = delivery.created_at.toISOString();
  const [inbox_id, thread_id] = [newId('inb'), newId('thr')];
  const shared = { inbox_id, thread_id, created_at };
  const message = {
    ...shared,
    id: newId('msg'),
    direction: 'inbound',
    from_addr: 'ada@example.com',
    from_name: 'Ada Lovelace',
    to_addrs: ['agent@example.com'],
    cc_addrs: [],
    bcc_addrs: [],
    reply_to_addrs: [],
    envelope_from: 'ada@example.com',
    envelope_to: ['agent@example.com'],
    subject: 'A sample event',
    body_text: text,
    body_html: null,
    extracted_text: text.trimEnd(),
    body_truncated: false,
    read: false,
    metadata: {},
    snippet: text.trimEnd(),
    delivery_status: 'received',
    labels: [],
    attachments: [],
    message_id: '<sample@example.com>',
    in_reply_to: null,
    references: [],
    provider_message_id: null,
    client_id: null,
    recipients: [],
    authentication: null,
    auto_submitted: false,
    hidden_text: false,
    size_bytes: 512,
    truncated: [],
  } satisfies MessageReceivedEvent['message'];
  const { event_id: id, workspace_id } = delivery;
  return { id, event: 'message.received', ...shared, workspace_id, message_ref: message.id, message };
}
