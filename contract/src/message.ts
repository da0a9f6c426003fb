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

/** Whether a message came in or went out. */
export const Direction = z
  .enum(['inbound', 'outbound'])
  .meta({ id: 'Direction', ...about('Whether the message came in or went out.', 'inbound') });
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
      'Inbound `received`. Outbound `queued`, or `held` until people approve it, `sending`, `sent`, then `delivered`, `deferred` ' +
        '(tried again), `bounced`, `complained`, `rejected` (by the provider or by people) or `failed`. That of a message is the worst of its recipients.',
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
  .meta({ id: 'AuthenticationResult', ...about('What a check of the sender said (RFC 8601).', 'pass') });
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
      .meta(about('The domain that the sender is proven to write for.', 'example.com')),
  })
  .meta({ id: 'Authentication', description: 'What SPF, DKIM and DMARC say of an inbound message.' });
export type Authentication = z.infer<typeof Authentication>;

/** The delivery of an outbound message to one recipient. */
export const MessageRecipient = z
  .object({
    address: z.string().meta(about('The recipient.', 'ada@example.com')),
    status: DeliveryStatus,
    detail: z
      .string()
      .nullable()
      .meta(about('What the recipient’s server or the provider said.', '250 2.0.0 OK')),
    sandboxed: z
      .boolean()
      .meta(
        about('Whether the sandbox kept the mail: it is `sent`, and no other server was told of it.', false),
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
  bcc_addrs: addresses('Blind copies of an outbound message; empty on inbound ones.', 'archive@example.com'),
  reply_to_addrs: addresses('Where replies go when it is not From.', 'ada@example.com'),
  envelope_from: z
    .string()
    .nullable()
    .meta(about('Inbound: the sender as given by SMTP; null for reports.', 'ada@example.com')),
  envelope_to: addresses(
    'Inbound: the recipients as given by SMTP, with the plus tag.',
    sender.replace('@', '+order-17@'),
  ),
};

const content = {
  subject: z.string().meta(about('The subject, decoded.', 'Where is my order?')),
  body_text: z
    .string()
    .nullable()
    .meta(
      about(
        'The plain-text body; of a mail that has only HTML, the text that a person sees of it.',
        'Hello,\nwhere is my order?\n',
      ),
    ),
  body_html: z
    .string()
    .nullable()
    .meta(
      about(
        'The HTML body as it was sent, unsanitised: treat it as hostile.',
        '<p>Hello,<br>where is my order?</p>',
      ),
    ),
  extracted_text: z
    .string()
    .nullable()
    .meta(
      about(
        'What is new in a reply: the text without quoted history and signature. For other mail, all of its text. Where the text part only ' +
          'points to the HTML, or says what that hides, it is the text that a person sees of the HTML.',
        'Hello,\nwhere is my order?',
      ),
    ),
  body_truncated: z
    .boolean()
    .meta(about('Whether a body was cut at 64 KiB; `messages.get` returns whole ones.', false)),
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
  in_reply_to: z.string().nullable().meta(about('The Message-ID that it replies to.', ourId)),
  references: z.array(z.string()).meta(about('The Message-IDs of its conversation.', [ourId])),
  provider_message_id: z
    .string()
    .nullable()
    .meta(about('The id that the sending provider gave; null until it accepts.', '0100019a-3b1c')),
  client_id: z
    .string()
    .nullable()
    .meta(about('The idempotency key that it was sent with.', 'order-17-reply-1')),
};

/** A mail, received or sent. */
export const Message = z
  .object({
    id: idField('message', 'The message.'),
    thread_id: idField('thread', 'The conversation it belongs to.'),
    inbox_id: idField('inbox', 'The inbox it belongs to.'),
    direction: Direction,
    ...envelope,
    ...content,
    delivery_status: DeliveryStatus,
    read: z
      .boolean()
      .meta(
        about('Whether it was marked as read; outbound messages are, inbound ones once you say so.', false),
      ),
    metadata: Metadata,
    labels: z.array(AppliedLabel).meta({ description: 'The labels assigned to it.' }),
    attachments: z.array(Attachment).meta({ description: 'Its files, each with a fresh link.' }),
    ...identity,
    recipients: z.array(MessageRecipient).meta({
      description: 'Outbound: the delivery to each recipient that was not dropped. Inbound: empty.',
    }),
    authentication: Authentication.nullable().meta({
      description: 'Checks of the sender; null on outbound messages.',
    }),
    auto_submitted: z
      .boolean()
      .meta(
        about(
          'Whether a machine sent it (RFC 3834): out of office, list, report; or it is own mail that came back.',
          false,
        ),
      ),
    hidden_text: z
      .boolean()
      .meta(
        about(
          'Inbound: whether the HTML has text that a person would not see, such as `display: none`. It is only in `body_html`.',
          false,
        ),
      ),
    size_bytes: z.int().min(0).meta(about('The size of the whole mail as transferred.', 4_820)),
    truncated: z
      .array(z.string())
      .meta(
        about(
          `The fields that were cut: in lists, threads and events each body at 64 KiB, each list of addresses at ${limits.listedAddressesMax} ` +
            `and \`references\` at ${limits.listedReferencesMax} (the first and the last ones). \`messages.get\` returns them whole. ` +
            `Everywhere \`attachments\`, where the mail had more than ${limits.inboundAttachmentsMax} files: its original has all of them; and ` +
            '`extracted_text`, where it is the new text of the first 250,000 characters alone. `body_text` and `attachments` of a mail that the ' +
            'server has not read yet, because it was busy: they are null and `[]` until one `message.updated`, and stay so if that names nothing.',
          [],
        ),
      ),
    created_at: timestamp('When it was received or sent.'),
  })
  .meta({ id: 'Message', description: 'A mail, received or sent.' });
export type Message = z.infer<typeof Message>;

const dropped = z
  .array(DroppedRecipient)
  .meta({ description: 'Recipients that were not sent to, and why; empty when all were.' });
const idempotent = z
  .boolean()
  .meta(about('Whether this repeats the response to an earlier request with the same `client_id`.', false));

const differs = z
  .literal(true)
  .optional()
  .meta(
    about(
      'True if this repeats the response to a request with different content, so nothing of the present one was sent; absent otherwise.',
      true,
    ),
  );

/** The response to a send. */
export const SendReceipt = z
  .object({
    id: idField('message', 'The message.'),
    thread_id: idField('thread', 'The conversation it belongs to.'),
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
