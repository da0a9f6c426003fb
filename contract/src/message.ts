import * as z from 'zod';
import { Attachment } from './attachments.ts';
import { brand } from './brand.ts';
import { LabelColor, LabelName } from './fields/label-fields.ts';
import { Metadata } from './fields/metadata.ts';
import { DroppedRecipient } from './fields/recipients.ts';
import { about, idField, timestamp } from './fields/scalars.ts';
import { limits } from './limits.ts';

const sender = `support@${brand.defaults.mailDomain}`;
const rfcId = '<b1f2c3@example.com>';
const ourId = `<a0e1d2@${brand.defaults.mailDomain}>`;

/** Whether a message was received or sent. */
export const Direction = z.enum(['inbound', 'outbound']).meta({
  id: 'Direction',
  ...about('Whether the message was received (`inbound`) or sent (`outbound`).', 'inbound'),
});
export type Direction = z.infer<typeof Direction>;

/** The status of a message, or of its delivery to one recipient. */
export const DeliveryStatus = z
  .enum([
    'received',
    'queued',
    'held',
    'sending',
    'sent',
    'delivered',
    'deferred',
    'bounced',
    'complained',
    'rejected',
    'failed',
  ])
  .meta({
    id: 'DeliveryStatus',
    ...about(
      'Inbound: `received`. Outbound: `queued`, or `held` until people approve it; `sending` and `sent`; then `delivered`, `deferred` ' +
        '(will be retried), `bounced`, `complained`, `rejected` (by the provider or by people) or `failed`. A message has the worst status ' +
        'of its recipients.',
      'delivered',
    ),
  });
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

/** The statuses of outbound messages from best to worst. A message has the worst status of its recipients. */
export const deliveryStatusesBestFirst = [
  'delivered',
  'sent',
  'sending',
  'queued',
  'held',
  'deferred',
  'failed',
  'rejected',
  'bounced',
  'complained',
] as const satisfies DeliveryStatus[];

/** The result of a check of the sender (RFC 8601, section 2.7). */
export const AuthenticationResult = z
  .enum(['pass', 'fail', 'none', 'neutral', 'softfail', 'policy', 'temperror', 'permerror'])
  .meta({ id: 'AuthenticationResult', ...about('The result of a sender check (RFC 8601).', 'pass') });
export type AuthenticationResult = z.infer<typeof AuthenticationResult>;

/** The results of SPF, DKIM and DMARC for an inbound message. */
export const Authentication = z
  .object({
    spf: AuthenticationResult,
    dkim: AuthenticationResult,
    dmarc: AuthenticationResult,
    verified_domain: z
      .string()
      .nullable()
      .meta(
        about(
          'The domain of the From address, if the checks prove that the mail comes from it.',
          'example.com',
        ),
      ),
  })
  .meta({ id: 'Authentication', description: 'The results of SPF, DKIM and DMARC for an inbound message.' });
export type Authentication = z.infer<typeof Authentication>;

/** The delivery of an outbound message to one recipient. */
export const MessageRecipient = z
  .object({
    address: z.string().meta(about('The recipient.', 'ada@example.com')),
    status: DeliveryStatus,
    detail: z
      .string()
      .nullable()
      .meta(about('The reply of the recipient’s server or the provider.', '250 2.0.0 OK')),
    sandboxed: z
      .boolean()
      .meta(
        about(
          'Whether the sandbox kept the mail. Its status is `sent`, but it did not leave this server.',
          false,
        ),
      ),
    updated_at: timestamp('When the status last changed.'),
  })
  .meta({ id: 'MessageRecipient', description: 'The delivery of a message to one recipient.' });
export type MessageRecipient = z.infer<typeof MessageRecipient>;

/** A label on a message or thread. */
export const AppliedLabel = z
  .object({ id: idField('label', 'The label.'), name: LabelName, color: LabelColor.nullable() })
  .meta({ id: 'AppliedLabel', description: 'A label on a message or thread.' });
export type AppliedLabel = z.infer<typeof AppliedLabel>;

function addresses(description: string, example: string) {
  return z.array(z.string()).meta(about(description, [example]));
}

const envelope = {
  from_addr: z.string().meta(about('The address in From.', 'ada@example.com')),
  from_name: z.string().nullable().meta(about('The name in From.', 'Ada Lovelace')),
  to_addrs: addresses('The addresses in To.', sender),
  cc_addrs: addresses('The addresses in Cc.', 'charles@example.com'),
  bcc_addrs: addresses(
    'The addresses in Bcc of an outbound message; empty for inbound messages.',
    'archive@example.com',
  ),
  reply_to_addrs: addresses('The addresses in Reply-To; empty if replies go to From.', 'ada@example.com'),
  envelope_from: z
    .string()
    .nullable()
    .meta(about('Inbound: the sender of the SMTP envelope; null for delivery reports.', 'ada@example.com')),
  envelope_to: addresses(
    'Inbound: the recipients of the SMTP envelope, with their plus tags.',
    sender.replace('@', '+order-17@'),
  ),
};

const content = {
  subject: z.string().meta(about('The decoded subject.', 'Where is my order?')),
  body_text: z
    .string()
    .nullable()
    .meta(
      about(
        'The plain-text body. If an email has only HTML, this is the visible text of the HTML.',
        'Hello,\nwhere is my order?\n',
      ),
    ),
  body_html: z
    .string()
    .nullable()
    .meta(
      about(
        'The HTML body as it was sent. It is not sanitised: treat it as hostile.',
        '<p>Hello,<br>where is my order?</p>',
      ),
    ),
  extracted_text: z
    .string()
    .nullable()
    .meta(
      about(
        'The new text of a reply, without quoted history and signature; for other mail, all of its text. If the text part only refers ' +
          'to the HTML, or contains text that the HTML hides, this is taken from the visible text of the HTML.',
        'Hello,\nwhere is my order?',
      ),
    ),
  body_truncated: z
    .boolean()
    .meta(about('Whether a body was cut at 64 KiB; `messages.get` returns complete bodies.', false)),
  snippet: z
    .string()
    .meta(
      about(
        `The beginning of the text, at most ${limits.snippetCharactersMax} characters.`,
        'Hello, where is my order?',
      ),
    ),
};

const identity = {
  message_id: z.string().meta(about('The RFC 5322 Message-ID, as recipients see it.', rfcId)),
  in_reply_to: z
    .string()
    .nullable()
    .meta(about('The Message-ID of the message that this one replies to.', ourId)),
  references: z
    .array(z.string())
    .meta(about('The Message-IDs in References: the earlier messages of the conversation.', [ourId])),
  provider_message_id: z
    .string()
    .nullable()
    .meta(
      about(
        'The id from the sending provider; null until the provider accepts the message.',
        '0100019a-3b1c',
      ),
    ),
  client_id: z
    .string()
    .nullable()
    .meta(about('The idempotency key of the request that sent the message.', 'order-17-reply-1')),
};

/** An email, received or sent. */
export const Message = z
  .object({
    id: idField('message', 'The message.'),
    thread_id: idField('thread', 'The thread of the message.'),
    inbox_id: idField('inbox', 'The inbox that it belongs to.'),
    direction: Direction,
    ...envelope,
    ...content,
    delivery_status: DeliveryStatus,
    read: z
      .boolean()
      .meta(
        about(
          'Whether the message is marked as read. Outbound messages are read from the start; inbound messages become read when you mark them.',
          false,
        ),
      ),
    metadata: Metadata,
    labels: z.array(AppliedLabel).meta({ description: 'The labels of the message.' }),
    attachments: z.array(Attachment).meta({ description: 'The attachments, each with a fresh link.' }),
    ...identity,
    recipients: z.array(MessageRecipient).meta({
      description: 'Outbound: the delivery to each recipient that was not dropped. Inbound: empty.',
    }),
    authentication: Authentication.nullable().meta({
      description: 'The results of the sender checks; null for outbound messages.',
    }),
    auto_submitted: z
      .boolean()
      .meta(
        about(
          'Whether the message was sent automatically (RFC 3834), such as an out-of-office reply, list mail or a report. Also true for ' +
            'your own mail that came back.',
          false,
        ),
      ),
    hidden_text: z
      .boolean()
      .meta(
        about(
          'Inbound: whether the HTML contains text that a person would not see, for example because of `display: none`. Such text is only in `body_html`.',
          false,
        ),
      ),
    size_bytes: z.int().min(0).meta(about('The size of the whole mail as transferred, in bytes.', 4_820)),
    truncated: z
      .array(z.string())
      .meta(
        about(
          'The names of the fields that were cut. Lists, threads and events cut each body at 64 KiB, each list of addresses at ' +
            `${limits.listedAddressesMax} entries, and \`references\` at ${limits.listedReferencesMax} (the first and the last ones); ` +
            '`messages.get` returns them complete. All responses cut `attachments` at ' +
            `${limits.inboundAttachmentsMax} files (the original has all of them), and take \`extracted_text\` from the first ` +
            '250,000 characters of a text. If the server was too busy to parse the mail on arrival, `body_text` and `attachments` are ' +
            'named, too: they are null and `[]` until a `message.updated` event, and stay that way if that event names no fields.',
          [],
        ),
      ),
    created_at: timestamp('When the message was received or sent.'),
  })
  .meta({ id: 'Message', description: 'An email, received or sent.' });
export type Message = z.infer<typeof Message>;

const dropped = z
  .array(DroppedRecipient)
  .meta({ description: 'The recipients that were left out, and why; empty if none were.' });
const idempotent = z
  .boolean()
  .meta(about('Whether this repeats the response to an earlier request with the same `client_id`.', false));

const differs = z
  .literal(true)
  .optional()
  .meta(
    about(
      'True if the earlier request had different content, so the content of this request was not sent; absent otherwise.',
      true,
    ),
  );

/** The response to a send. */
export const SendReceipt = z
  .object({
    id: idField('message', 'The message.'),
    thread_id: idField('thread', 'The thread of the message.'),
    message_id: identity.message_id,
    provider_message_id: identity.provider_message_id,
    idempotent,
    differs,
    dropped,
    delivery_status: DeliveryStatus,
  })
  .meta({ id: 'SendReceipt', description: 'The outcome of a send.' });
export type SendReceipt = z.infer<typeof SendReceipt>;

/** The response to a reply or a forward: the message that was sent. */
export const SentMessage = z
  .object({ ...Message.shape, idempotent, differs, dropped })
  .meta({ id: 'SentMessage', description: 'The message that was sent, and the outcome of the send.' });
export type SentMessage = z.infer<typeof SentMessage>;
