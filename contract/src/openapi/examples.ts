import draftFailed from '../../fixtures/events/draft.failed.json' with { type: 'json' };
import draftSent from '../../fixtures/events/draft.sent.json' with { type: 'json' };
import bounced from '../../fixtures/events/message.bounced.json' with { type: 'json' };
import complained from '../../fixtures/events/message.complained.json' with { type: 'json' };
import deferred from '../../fixtures/events/message.deferred.json' with { type: 'json' };
import deleted from '../../fixtures/events/message.deleted.json' with { type: 'json' };
import delivered from '../../fixtures/events/message.delivered.json' with { type: 'json' };
import held from '../../fixtures/events/message.held.json' with { type: 'json' };
import received from '../../fixtures/events/message.received.json' with { type: 'json' };
import rejected from '../../fixtures/events/message.rejected.json' with { type: 'json' };
import sent from '../../fixtures/events/message.sent.json' with { type: 'json' };
import updated from '../../fixtures/events/message.updated.json' with { type: 'json' };
import { exampleIds } from '../fields/scalars.ts';
import type { NamedExamples } from './example.ts';

const { message } = received;
const reply = delivered.message;

/** One event of every kind, as webhooks, sockets and the event log carry them. */
export const eventExamples = {
  'message.received': received,
  'message.sent': sent,
  'message.delivered': delivered,
  'message.bounced': bounced,
  'message.complained': complained,
  'message.rejected': rejected,
  'message.held': held,
  'message.deferred': deferred,
  'message.updated': updated,
  'message.deleted': deleted,
  'draft.sent': draftSent,
  'draft.failed': draftFailed,
};

const requests = {
  CreateInbox: { local_part: 'support', display_name: 'Support Agent' },
  SendMessage: {
    inbox_id: exampleIds.inbox,
    to: ['Ada Lovelace <ada@example.com>'],
    subject: 'Your order has shipped',
    text: 'Hello Ada,\nyour order has shipped.\n',
    client_id: 'order-17-shipped',
  },
  ReplyToMessage: { text: reply.body_text, reply_all: true, client_id: reply.client_id },
  ForwardMessage: { to: ['charles@example.com'], text: 'Can you look into this?' },
  CreateDraft: {
    inbox_id: exampleIds.inbox,
    to: ['ada@example.com'],
    subject: 'Your order has shipped',
    text: 'Hello Ada,\nyour order has shipped.\n',
    scheduled_at: '2026-11-23T08:00:00Z',
  },
  UpdateDraft: { subject: 'Your order is on its way', scheduled_at: null },
  UpdateMessage: { read: true, add_labels: ['urgent'], metadata: { ticket: '4711' } },
  UpdateWebhook: { enabled: true },
};

const drafted = {
  id: exampleIds.draft,
  inbox_id: exampleIds.inbox,
  to: ['ada@example.com'],
  cc: [],
  bcc: [],
  subject: 'Your order has shipped',
  text: 'Hello Ada,\nyour order has shipped.\n',
  html: null,
  attachments: [],
  reply_to_message_id: null,
  metadata: {},
  scheduled_at: '2026-11-23T08:00:00.000Z',
  status: 'scheduled',
  message_id: null,
  failure: null,
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:30:00.000Z',
};

const answers = {
  Inbox: {
    id: exampleIds.inbox,
    local_part: 'support',
    display_name: 'Support Agent',
    domain_id: null,
    metadata: {},
    address: message.to_addrs[0],
    created_at: '2026-11-20T09:00:00.000Z',
  },
  Message: message,
  ListedMessage: message,
  SentMessage: { ...reply, idempotent: false, dropped: [] },
  SendReceipt: {
    id: reply.id,
    thread_id: reply.thread_id,
    message_id: reply.message_id,
    provider_message_id: reply.provider_message_id,
    idempotent: false,
    dropped: [],
    delivery_status: 'sent',
  },
  Delivery: {
    id: exampleIds.delivery,
    webhook_id: exampleIds.webhook,
    event_id: received.id,
    event: received.event,
    status: 'succeeded',
    attempts: [
      { at: '2026-11-20T09:30:00.040Z', status_code: 503, error: null, duration_ms: 210 },
      { at: '2026-11-20T09:30:05.180Z', status_code: 200, error: null, duration_ms: 84 },
    ],
    next_attempt_at: null,
    created_at: received.created_at,
  },
  DnsRecord: {
    type: 'TXT',
    name: '_dmarc.example.com',
    value: 'v=DMARC1; p=quarantine',
    priority: null,
    purpose: 'dmarc',
    status: 'verified',
    found: 'v=DMARC1; p=quarantine',
    hint: null,
  },
  DroppedRecipient: { address: 'bounced@example.com', reason: 'suppressed' },
  Draft: drafted,
};

const events = {
  Event: received,
  MessageReceivedEvent: received,
  MessageSentEvent: sent,
  MessageDeliveredEvent: delivered,
  MessageBouncedEvent: bounced,
  MessageComplainedEvent: complained,
  MessageRejectedEvent: rejected,
  MessageHeldEvent: held,
  MessageDeferredEvent: deferred,
  MessageUpdatedEvent: updated,
  MessageDeletedEvent: deleted,
  DraftSentEvent: draftSent,
  DraftFailedEvent: draftFailed,
};

/** Examples by the names of schemas. Together they tell one story: Ada asks for her order and gets a reply. */
export const namedExamples: NamedExamples = { ...requests, ...answers, ...events };
