// Generated from the contract by scripts/sdk-types.ts. Do not edit.

/**
 * `read`: it changes nothing. `inbox`: it changes what belongs to its inboxes. `inboxes`: also labels, and
 * which inboxes there are. `workspace`: also rules, suppressions and domains.
 */
export type Access = 'read' | 'inbox' | 'inboxes' | 'workspace';

/** The workspace of the key, its plan and its usage. */
export interface Account {
  workspace: Workspace;
  plan: Plan;
  limits: PlanLimits;
  usage: Usage;
}

/** A label on a message or thread. */
export interface AppliedLabel {
  /** The label. */
  id: string;
  /** Its name; unique without regard to case. */
  name: string;
  /** Its hex color. */
  color: string | null;
}

/** A file of a message, with a fresh download link. */
export interface Attachment {
  /** The attachment. */
  id: string;
  /** Its name, without folders. */
  filename: string;
  /** Its media type as the sender declared it. */
  mime_type: string;
  /** Its size once decoded. */
  size_bytes: number;
  /** Its Content-ID without brackets, as `cid:` links in HTML name it. */
  content_id: string | null;
  /** Whether it is shown within the text rather than beside it. */
  inline: boolean;
  /** Download link that needs no key and works for 15 minutes; `Range` requests are supported. */
  url: string;
  /** When the link stops working. */
  expires_at: string;
}

/** A file to send. */
export interface AttachmentInput {
  /** Its name, without folders. */
  filename: string;
  /** Its media type; guessed from the name when left out. */
  content_type?: string | undefined;
  /** Its bytes in base64. */
  content_base64: string;
  /** Its Content-ID: HTML shows it as `<img src="cid:logo">`. */
  content_id?: string | undefined;
}

/** What SPF, DKIM and DMARC say of an inbound message. */
export interface Authentication {
  spf: AuthenticationResult;
  dkim: AuthenticationResult;
  dmarc: AuthenticationResult;
  /** The domain that the sender is proven to write for. */
  verified_domain: string | null;
}

/** What a check of the sender said (RFC 8601). */
export type AuthenticationResult =
  | 'pass'
  | 'fail'
  | 'none'
  | 'neutral'
  | 'softfail'
  | 'policy'
  | 'temperror'
  | 'permerror';

/** Why a message came back. */
export interface Bounce {
  /** `hard`: refused for good. `soft`: refused for now until we gave up. */
  type: 'hard' | 'soft';
  /** The enhanced status code (RFC 3463), else the reply code. */
  code: string | null;
  /** What the recipient’s server said. */
  diagnostic: string | null;
}

/** What a recipient complained of. */
export interface Complaint {
  /** The type in the report (RFC 5965), such as `abuse` or `fraud`. */
  feedback_type: string | null;
}

/** What `domains.create` takes. */
export interface CreateDomain {
  /** The domain to add. */
  hostname: string;
}

/** What `drafts.create` takes. */
export interface CreateDraft {
  /** The inbox that will send it. */
  inbox_id: string;
  /** Recipients; needed when it is sent. */
  to?: Recipient | Recipient[] | undefined;
  /** Recipients of a copy. */
  cc?: Recipient | Recipient[] | undefined;
  /** Recipients of a blind copy. */
  bcc?: Recipient | Recipient[] | undefined;
  /** The subject; needed when it is sent. */
  subject?: string | null | undefined;
  /** The plain-text body, at most 5 MB. */
  text?: string | null | undefined;
  /** The HTML body, at most 5 MB. */
  html?: string | null | undefined;
  /** Files, at most 7 MB in total once decoded; an update replaces them all. */
  attachments?: AttachmentInput[] | undefined;
  /** The message to reply to. Recipients and subject that are left out are filled in from it. */
  reply_to_message_id?: string | null | undefined;
  /** Whether the other recipients of the original are filled in, too. */
  reply_all?: boolean | undefined;
  /**
   * Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40
   * characters, values up to 500. They replace those that were there.
   */
  metadata?: Record<string, string> | undefined;
  /** When to send it; null to send it by hand. A time that has passed sends at once. */
  scheduled_at?: string | null | undefined;
}

/** What `inboxes.create` takes. */
export interface CreateInbox {
  /** The part before the `@`; lowercased automatically. */
  local_part: string;
  /** Friendly From name on outbound mail; null for none. */
  display_name?: string | null | undefined;
  /** A verified custom domain; the shared domain when left out. */
  domain_id?: string | null | undefined;
  /**
   * Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40
   * characters, values up to 500. They replace those that were there.
   */
  metadata?: Record<string, string> | undefined;
}

/** What `labels.create` takes. */
export interface CreateLabel {
  /** Its name; unique without regard to case. */
  name: string;
  /** Its hex color. */
  color?: string | null | undefined;
}

/** What `rules.create` takes. */
export interface CreateRule {
  /** Whether matching mail is let through or stopped. */
  kind: 'allow' | 'block';
  /** Inbound rules match the sender, outbound rules the recipient. */
  direction: 'inbound' | 'outbound' | 'both';
  /** A full address, or a bare domain, which also matches its subdomains. */
  pattern: string;
}

/** What `domains.subdomain` takes. */
export interface CreateSubdomain {
  /** The label before `.postrider.test`; lowercased automatically. */
  label: string;
}

/** What `suppressions.create` takes. */
export interface CreateSuppression {
  /** The address. */
  address: string;
}

/** What `webhooks.create` takes. */
export interface CreateWebhook {
  /** A public https URL. */
  url: string;
  /** The event kinds to receive. */
  events: EventKind[];
  /** Only events of these inboxes; null for all. */
  inbox_ids?: string[] | null | undefined;
  /** A signing secret of your own; one is created if it is left out. */
  secret?: string | undefined;
}

/** One event on its way to one webhook. */
export interface Delivery {
  /** The delivery. */
  id: string;
  /** The webhook. */
  webhook_id: string;
  /** The event; `webhook-id` of the request. */
  event_id: string;
  event: EventKind;
  /** Where it stands. */
  status: 'pending' | 'succeeded' | 'failed';
  /** Every try so far, oldest first; at most 8. */
  attempts: DeliveryAttempt[];
  /** When it is tried next; null when it is not. */
  next_attempt_at: string | null;
  /** When the delivery was created. */
  created_at: string;
}

/** One try of a delivery. */
export interface DeliveryAttempt {
  /** When it began. */
  at: string;
  /** The status that your endpoint responded with. */
  status_code: number | null;
  /** What went wrong if there was no response. */
  error: string | null;
  /** How long it took. */
  duration_ms: number;
}

/** Deliveries, newest first. */
export interface DeliveryPage {
  deliveries: Delivery[];
  /** What to pass as `cursor` for the next page; null on the last one. */
  next_cursor: string | null;
}

/**
 * Inbound `received`. Outbound `queued`, or `held` until people approve it, `sending`, `sent`, then
 * `delivered`, `deferred` (tried again), `bounced`, `complained`, `rejected` (by the provider or by people)
 * or `failed`. That of a message is the worst of its recipients.
 */
export type DeliveryStatus =
  | 'received'
  | 'queued'
  | 'held'
  | 'sending'
  | 'sent'
  | 'delivered'
  | 'deferred'
  | 'bounced'
  | 'complained'
  | 'rejected'
  | 'failed';

/** Whether the message came in or went out. */
export type Direction = 'inbound' | 'outbound';

/** How receivers should treat mail that fails DMARC. */
export type DmarcPolicy = 'none' | 'quarantine' | 'reject';

/** A DNS record to publish. */
export interface DnsRecord {
  /** The type of the record. */
  type: string;
  /** The full name of the record. */
  name: string;
  /** What to publish. */
  value: string;
  /** The priority of an MX record. */
  priority: number | null;
  /** What the record is for. */
  purpose: 'ownership' | 'dkim' | 'spf' | 'dmarc' | 'mail_from' | 'inbound';
  /** What the last check found. */
  status: 'pending' | 'verified' | 'failed';
  /**
   * The published value, or null if there is none. If there are several, it is the one nearest to `value`.
   * Characters that change the direction of text are shown as `[U+202E]`.
   */
  found: string | null;
  /**
   * The problem, the server of the last check, and the time of the next one; for DMARC also the reports of
   * receivers. Null if everything is in order.
   */
  hint: string | null;
}

/** A sending domain of the workspace. */
export interface Domain {
  /** The domain. */
  id: string;
  /** The domain as ASCII. */
  hostname: string;
  /** `byo`: brought by you. `subdomain`: one of ours, with DNS set up by us. */
  kind: 'byo' | 'subdomain';
  /** Whether its records were found. Inboxes need a verified one. */
  status: 'pending' | 'verifying' | 'verified' | 'failed';
  dmarc_policy: DmarcPolicy;
  /** The domain of its return paths. */
  mail_from_domain: string;
  /** The DNS records to publish. */
  records: DnsRecord[];
  /** When all records were first found. */
  verified_at: string | null;
  /** When the domain was added. */
  created_at: string;
}

/** Domains, newest first. */
export interface DomainPage {
  domains: Domain[];
  /** What to pass as `cursor` for the next page; null on the last one. */
  next_cursor: string | null;
}

/** A message that is not sent yet, or only at its time. */
export interface Draft {
  /** The draft. */
  id: string;
  /** The inbox that will send it. */
  inbox_id: string;
  /** Its recipients. */
  to: string[];
  /** Recipients of a copy. */
  cc: string[];
  /** Recipients of a blind copy. */
  bcc: string[];
  /** Its subject. */
  subject: string | null;
  /** Its plain-text body. */
  text: string | null;
  /** Its HTML body. */
  html: string | null;
  /** Its files, once it is sent those of the message; each with a fresh link. */
  attachments: Attachment[];
  /** The message that it replies to. */
  reply_to_message_id: string | null;
  metadata: Metadata;
  /** When it will be sent. */
  scheduled_at: string | null;
  status: DraftStatus;
  /** The message that was sent from it. */
  message_id: string | null;
  /** The error code of a scheduled send that failed. */
  failure: string | null;
  /** When the draft was created. */
  created_at: string;
  /** When the draft last changed. */
  updated_at: string;
}

/** A scheduled draft was not sent because of an error. It can be changed and sent again. */
export interface DraftFailedEvent {
  /** The event; also `webhook-id`. */
  id: string;
  /** What happened. */
  event: 'draft.failed';
  /** When it happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** Null: the draft became no message. */
  thread_id: string | null;
  /** Null: the draft became no message. */
  message_ref: string | null;
  /** The message as it is when the event is sent or read; null once it or its inbox is deleted. */
  message: Message | null;
  /** The draft. */
  draft_id: string;
  /** The error code for which it was not sent. */
  failure: string;
}

/** Drafts, newest first. */
export interface DraftPage {
  drafts: Draft[];
  /** What to pass as `cursor` for the next page; null on the last one. */
  next_cursor: string | null;
}

/** A draft became `message`, at its time or by a request. From then on, there are events of the message. */
export interface DraftSentEvent {
  /** The event; also `webhook-id`. */
  id: string;
  /** What happened. */
  event: 'draft.sent';
  /** When it happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The message, also when `message` is null. */
  message_ref: string;
  /** The message as it is when the event is sent or read; null once it or its inbox is deleted. */
  message: Message | null;
  /** The draft. */
  draft_id: string;
}

/** Where the draft stands. */
export type DraftStatus = 'draft' | 'scheduled' | 'sending' | 'sent' | 'failed';

/** A recipient that is not sent to. */
export interface DroppedRecipient {
  /** The address left out. */
  address: string;
  /**
   * `suppressed`: on the suppression list. `rule`: an outbound block rule matches. `policy`: people do not
   * allow mail to it.
   */
  reason: 'suppressed' | 'rule' | 'policy';
  /** The rule that matched, with reason `rule`. */
  rule_id?: string;
}

/** What people allow this key to send. */
export interface EffectivePolicy {
  send: SendMode;
  /**
   * The strictest line of all places; a list is stricter than `known`. A recipient has to be allowed at every
   * place; `places` has them all.
   */
  recipients: 'anyone' | 'known' | string[];
  /** The most mails in an hour, one for each recipient; null for any number. */
  per_hour: number | null;
  /** The most mails in 24 hours, one for each recipient; null for any number. */
  per_day: number | null;
  /** The most mails in one thread in an hour, one for each recipient; null for any number. */
  per_thread_hour: number | null;
  /** The most mails to one recipient in 24 hours, whatever their outcome; null for any number. */
  per_recipient_day: number | null;
  /** The most recipients of one message; null for any number. */
  recipients_max: number | null;
  /** Where each line is set. */
  from: {
    /** Where the line is set; `default` where nobody has set one. */
    send: 'key' | 'inbox' | 'workspace' | 'default';
    /** Where the line is set; `default` where nobody has set one. */
    recipients: 'key' | 'inbox' | 'workspace' | 'default';
    /** Where the line is set; `default` where nobody has set one. */
    per_hour: 'key' | 'inbox' | 'workspace' | 'default';
    /** Where the line is set; `default` where nobody has set one. */
    per_day: 'key' | 'inbox' | 'workspace' | 'default';
    /** Where the line is set; `default` where nobody has set one. */
    per_thread_hour: 'key' | 'inbox' | 'workspace' | 'default';
    /** Where the line is set; `default` where nobody has set one. */
    per_recipient_day: 'key' | 'inbox' | 'workspace' | 'default';
    /** Where the line is set; `default` where nobody has set one. */
    recipients_max: 'key' | 'inbox' | 'workspace' | 'default';
  };
  /** The lines that are set at each place. */
  places: {
    key: Record<string, unknown>;
    inbox: Record<string, unknown>;
    workspace: Record<string, unknown>;
  };
  /** What is paused; null while mail goes out. */
  paused: 'key' | 'inbox' | 'workspace' | 'server' | null;
  /** Whether the key may only read. */
  read_only: boolean;
  /** What the key may change at most. */
  access: Access;
  /** The inboxes that the key may use; others do not exist for it. Null for all. */
  inbox_ids: string[] | null;
  /** When the key expires; null for never. */
  expires_at: string | null;
}

/** An event: the body of a webhook delivery, a realtime frame and a row of the event log are the same. */
export type Event =
  | MessageReceivedEvent
  | MessageSentEvent
  | MessageDeliveredEvent
  | MessageBouncedEvent
  | MessageComplainedEvent
  | MessageRejectedEvent
  | MessageHeldEvent
  | MessageDeferredEvent
  | MessageUpdatedEvent
  | MessageDeletedEvent
  | DraftSentEvent
  | DraftFailedEvent;

/** What happened. */
export type EventKind =
  | 'message.received'
  | 'message.sent'
  | 'message.delivered'
  | 'message.bounced'
  | 'message.complained'
  | 'message.rejected'
  | 'message.held'
  | 'message.deferred'
  | 'message.updated'
  | 'message.deleted'
  | 'draft.sent'
  | 'draft.failed';

/** Events, oldest first. */
export interface EventPage {
  events: Event[];
  /** The `after` of the next request, even if there were no events; null only while the log is empty. */
  next_cursor: string | null;
}

/** What `messages.forward` takes. */
export interface ForwardMessage {
  /** The recipient, or a list of them; at most 50 in To, Cc and Bcc together. */
  to: Recipient | Recipient[];
  /** Recipients of a copy. */
  cc?: Recipient | Recipient[] | undefined;
  /** Recipients of a blind copy. */
  bcc?: Recipient | Recipient[] | undefined;
  /** Text above the forwarded message. */
  text?: string | undefined;
  /** HTML above the forwarded message. */
  html?: string | undefined;
  /**
   * Whether the files of the original go along.
   * @default true
   */
  include_attachments?: boolean | undefined;
  /**
   * Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40
   * characters, values up to 500. They replace those that were there.
   */
  metadata?: Record<string, string> | undefined;
  /**
   * Idempotency key: for 24 hours, a request that repeats it returns the original message and sends nothing,
   * even if its content differs.
   */
  client_id?: string | undefined;
}

/** What `policy.get` takes. */
export interface GetPolicy {
  /** The inbox that would send. Without it, its lines are left out. */
  inbox_id?: string | undefined;
}

/** An address that can send and receive mail. */
export interface Inbox {
  /** The inbox. */
  id: string;
  /** The part of the address before the `@`. */
  local_part: string;
  /** Friendly From name on outbound mail. */
  display_name: string | null;
  /** The custom domain of the address; null on the shared domain. */
  domain_id: string | null;
  /** The address. Mail to `local+anything@` arrives here too. */
  address: string;
  metadata: Metadata;
  /** When the inbox was created. */
  created_at: string;
}

/** Inboxes, newest first. */
export interface InboxPage {
  inboxes: Inbox[];
  /** What to pass as `cursor` for the next page; null on the last one. */
  next_cursor: string | null;
}

/** One field of a request that is missing or malformed. */
export interface Issue {
  /** The field, with dots into it: `to.0`, `attachments.2.filename`. */
  path: string;
  /** What is wrong with it. */
  message: string;
}

/** A mark that messages can carry. */
export interface Label {
  /** The label. */
  id: string;
  /** Its name; unique without regard to case. */
  name: string;
  /** Its hex color. */
  color: string | null;
  /** When the label was created. */
  created_at: string;
}

/** What `labels.assign` and `labels.unassign` take. */
export interface LabelMessage {
  /** The message. */
  message_id: string;
}

/** Labels by name. */
export interface LabelPage {
  labels: Label[];
  /** What to pass as `cursor` for the next page; null on the last one. */
  next_cursor: string | null;
}

/** What `webhooks.deliveries` takes. */
export interface ListDeliveries {
  /**
   * The most items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** `next_cursor` of the page before; opaque. */
  cursor?: string | undefined;
}

/** What `domains.list` takes. */
export interface ListDomains {
  /**
   * The most items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** `next_cursor` of the page before; opaque. */
  cursor?: string | undefined;
}

/** What `drafts.list` takes. */
export interface ListDrafts {
  /** Only drafts of this inbox. */
  inbox_id?: string | undefined;
  status?: DraftStatus | undefined;
  /**
   * The most items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** `next_cursor` of the page before; opaque. */
  cursor?: string | undefined;
}

/** What `events.list` takes. */
export interface ListEvents {
  /** Only events after the one with this id, or after `latest`, the newest at the time of the request. */
  after?: string | undefined;
  /** Only events of these kinds, separated by commas. */
  events?: EventKind[] | undefined;
  /** Only events of this inbox. */
  inbox_id?: string | undefined;
  /** The most seconds that the request waits until there is at least one item. */
  wait_seconds?: number | undefined;
  /**
   * The most items to return.
   * @default 25
   */
  limit?: number | undefined;
}

/** What `inboxes.list` takes. */
export interface ListInboxes {
  /** Only the inbox with this address, in any spelling of it. */
  address?: string | undefined;
  /**
   * The most items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** `next_cursor` of the page before; opaque. */
  cursor?: string | undefined;
}

/** What `labels.list` takes. */
export interface ListLabels {
  /** Only the label of this name; upper and lower case are the same. */
  name?: string | undefined;
  /**
   * The most items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** `next_cursor` of the page before; opaque. */
  cursor?: string | undefined;
}

/** What `messages.list` takes. */
export interface ListMessages {
  /** Only messages of this inbox. */
  inbox_id?: string | undefined;
  /** Only messages of this thread. */
  thread_id?: string | undefined;
  /** Only messages with this label. */
  label_id?: string | undefined;
  direction?: Direction | undefined;
  /** Only messages from this address or domain. */
  from?: string | undefined;
  /** Only messages to this address or domain. */
  to?: string | undefined;
  /** Only messages with these words in the subject. */
  subject?: string | undefined;
  /** Only messages with files, or only those without. */
  has_attachment?: boolean | undefined;
  /** Only messages that were marked as read, or only the others. */
  read?: boolean | undefined;
  /** Only messages created at this time or later. */
  after?: string | undefined;
  /** Only messages created before this time. */
  before?: string | undefined;
  /**
   * Search. All words must match, in any form (`invoices` finds `invoice`), and the last one may be
   * incomplete. Quotation marks hold a phrase together, and `-word` excludes a word. The operators are
   * `from:`, `to:`, `subject:`, `label:`, `in:` (an inbox), `filename:`, `has:attachment`, `is:inbound`,
   * `is:outbound`, `before:` and `after:`. Anything else is words.
   */
  query?: string | undefined;
  /**
   * How `query` compares; `keyword` when left out.
   * @default 'keyword'
   */
  mode?: SearchMode | undefined;
  /** The most seconds that the request waits until there is at least one item. */
  wait_seconds?: number | undefined;
  /**
   * The most items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** `next_cursor` of the page before; opaque. */
  cursor?: string | undefined;
}

/** What `rules.list` takes. */
export interface ListRules {
  /**
   * The most items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** `next_cursor` of the page before; opaque. */
  cursor?: string | undefined;
}

/** What `suppressions.list` takes. */
export interface ListSuppressions {
  /**
   * The most items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** `next_cursor` of the page before; opaque. */
  cursor?: string | undefined;
}

/** What `threads.list` takes. */
export interface ListThreads {
  /** Only threads of this inbox. */
  inbox_id?: string | undefined;
  /** Only threads with this label on a message. */
  label_id?: string | undefined;
  /** Only threads all of whose messages are read, or only the others. */
  read?: boolean | undefined;
  /**
   * Search. All words must match, in any form (`invoices` finds `invoice`), and the last one may be
   * incomplete. Quotation marks hold a phrase together, and `-word` excludes a word. The operators are
   * `from:`, `to:`, `subject:`, `label:`, `in:` (an inbox), `filename:`, `has:attachment`, `is:inbound`,
   * `is:outbound`, `before:` and `after:`. Anything else is words.
   */
  query?: string | undefined;
  /**
   * How `query` compares; `keyword` when left out.
   * @default 'keyword'
   */
  mode?: SearchMode | undefined;
  /**
   * The most items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** `next_cursor` of the page before; opaque. */
  cursor?: string | undefined;
}

/** What `webhooks.list` takes. */
export interface ListWebhooks {
  /**
   * The most items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** `next_cursor` of the page before; opaque. */
  cursor?: string | undefined;
}

/**
 * A message in a list. Search results carry a score, and their snippet shows what was found: `**` stands
 * around each match, and a backslash before each `*`, `_`, `` ` `` and `\` of the text itself.
 */
export interface ListedMessage {
  /** The message. */
  id: string;
  /** The conversation it belongs to. */
  thread_id: string;
  /** The inbox it belongs to. */
  inbox_id: string;
  direction: Direction;
  /** The address in From. */
  from_addr: string;
  /** The name in From. */
  from_name: string | null;
  /** The addresses in To. */
  to_addrs: string[];
  /** The addresses in Cc. */
  cc_addrs: string[];
  /** Blind copies of an outbound message; empty on inbound ones. */
  bcc_addrs: string[];
  /** Where replies go when it is not From. */
  reply_to_addrs: string[];
  /** Inbound: the sender as given by SMTP; null for reports. */
  envelope_from: string | null;
  /** Inbound: the recipients as given by SMTP, with the plus tag. */
  envelope_to: string[];
  /** The subject, decoded. */
  subject: string;
  /** The plain-text body; of a mail that has only HTML, the text that a person sees of it. */
  body_text: string | null;
  /** The HTML body as it was sent, unsanitised: treat it as hostile. */
  body_html: string | null;
  /**
   * What is new in a reply: the text without quoted history and signature. For other mail, all of its text.
   * Where the text part only points to the HTML, or says what that hides, it is the text that a person sees
   * of the HTML.
   */
  extracted_text: string | null;
  /** Whether a body was cut at 64 KiB; `messages.get` returns whole ones. */
  body_truncated: boolean;
  /** The beginning of the text, at most 200 characters. */
  snippet: string;
  delivery_status: DeliveryStatus;
  /** Whether it was marked as read; outbound messages are, inbound ones once you say so. */
  read: boolean;
  metadata: Metadata;
  /** The labels assigned to it. */
  labels: AppliedLabel[];
  /** Its files, each with a fresh link. */
  attachments: Attachment[];
  /** The RFC 5322 Message-ID, as recipients see it. */
  message_id: string;
  /** The Message-ID that it replies to. */
  in_reply_to: string | null;
  /** The Message-IDs of its conversation. */
  references: string[];
  /** The id that the sending provider gave; null until it accepts. */
  provider_message_id: string | null;
  /** The idempotency key that it was sent with. */
  client_id: string | null;
  /** Outbound: the delivery to each recipient that was not dropped. Inbound: empty. */
  recipients: MessageRecipient[];
  /** Checks of the sender; null on outbound messages. */
  authentication: Authentication | null;
  /** Whether a machine sent it (RFC 3834): out of office, list, report; or it is own mail that came back. */
  auto_submitted: boolean;
  /**
   * Inbound: whether the HTML has text that a person would not see, such as `display: none`. It is only in
   * `body_html`.
   */
  hidden_text: boolean;
  /** The size of the whole mail as transferred. */
  size_bytes: number;
  /**
   * The fields that were cut: in lists, threads and events each body at 64 KiB, each list of addresses at 100
   * and `references` at 20 (the first and the last ones). `messages.get` returns them whole. Everywhere
   * `attachments`, where the mail had more than 100 files: its original has all of them; and
   * `extracted_text`, where it is the new text of the first 250,000 characters alone. `body_text` and
   * `attachments` of a mail that the server has not read yet, because it was busy: they are null and `[]`
   * until one `message.updated`, and stay so if that names nothing.
   */
  truncated: string[];
  /** When it was received or sent. */
  created_at: string;
  /** Search results: how well it matches, from 0 to 1; comparable with the others of the same search. */
  score?: number;
  /** Search results: the files whose name or text has words of the query. */
  matched_attachments?: string[];
}

/** A mail, received or sent. */
export interface Message {
  /** The message. */
  id: string;
  /** The conversation it belongs to. */
  thread_id: string;
  /** The inbox it belongs to. */
  inbox_id: string;
  direction: Direction;
  /** The address in From. */
  from_addr: string;
  /** The name in From. */
  from_name: string | null;
  /** The addresses in To. */
  to_addrs: string[];
  /** The addresses in Cc. */
  cc_addrs: string[];
  /** Blind copies of an outbound message; empty on inbound ones. */
  bcc_addrs: string[];
  /** Where replies go when it is not From. */
  reply_to_addrs: string[];
  /** Inbound: the sender as given by SMTP; null for reports. */
  envelope_from: string | null;
  /** Inbound: the recipients as given by SMTP, with the plus tag. */
  envelope_to: string[];
  /** The subject, decoded. */
  subject: string;
  /** The plain-text body; of a mail that has only HTML, the text that a person sees of it. */
  body_text: string | null;
  /** The HTML body as it was sent, unsanitised: treat it as hostile. */
  body_html: string | null;
  /**
   * What is new in a reply: the text without quoted history and signature. For other mail, all of its text.
   * Where the text part only points to the HTML, or says what that hides, it is the text that a person sees
   * of the HTML.
   */
  extracted_text: string | null;
  /** Whether a body was cut at 64 KiB; `messages.get` returns whole ones. */
  body_truncated: boolean;
  /** The beginning of the text, at most 200 characters. */
  snippet: string;
  delivery_status: DeliveryStatus;
  /** Whether it was marked as read; outbound messages are, inbound ones once you say so. */
  read: boolean;
  metadata: Metadata;
  /** The labels assigned to it. */
  labels: AppliedLabel[];
  /** Its files, each with a fresh link. */
  attachments: Attachment[];
  /** The RFC 5322 Message-ID, as recipients see it. */
  message_id: string;
  /** The Message-ID that it replies to. */
  in_reply_to: string | null;
  /** The Message-IDs of its conversation. */
  references: string[];
  /** The id that the sending provider gave; null until it accepts. */
  provider_message_id: string | null;
  /** The idempotency key that it was sent with. */
  client_id: string | null;
  /** Outbound: the delivery to each recipient that was not dropped. Inbound: empty. */
  recipients: MessageRecipient[];
  /** Checks of the sender; null on outbound messages. */
  authentication: Authentication | null;
  /** Whether a machine sent it (RFC 3834): out of office, list, report; or it is own mail that came back. */
  auto_submitted: boolean;
  /**
   * Inbound: whether the HTML has text that a person would not see, such as `display: none`. It is only in
   * `body_html`.
   */
  hidden_text: boolean;
  /** The size of the whole mail as transferred. */
  size_bytes: number;
  /**
   * The fields that were cut: in lists, threads and events each body at 64 KiB, each list of addresses at 100
   * and `references` at 20 (the first and the last ones). `messages.get` returns them whole. Everywhere
   * `attachments`, where the mail had more than 100 files: its original has all of them; and
   * `extracted_text`, where it is the new text of the first 250,000 characters alone. `body_text` and
   * `attachments` of a mail that the server has not read yet, because it was busy: they are null and `[]`
   * until one `message.updated`, and stay so if that names nothing.
   */
  truncated: string[];
  /** When it was received or sent. */
  created_at: string;
}

/** A hard or soft bounce; the address is now suppressed. */
export interface MessageBouncedEvent {
  /** The event; also `webhook-id`. */
  id: string;
  /** What happened. */
  event: 'message.bounced';
  /** When it happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The message, also when `message` is null. */
  message_ref: string;
  /** The message as it is when the event is sent or read; null once it or its inbox is deleted. */
  message: Message | null;
  /** The recipient. */
  recipient: string;
  bounce: Bounce;
}

/** A spam complaint; the address is now suppressed. */
export interface MessageComplainedEvent {
  /** The event; also `webhook-id`. */
  id: string;
  /** What happened. */
  event: 'message.complained';
  /** When it happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The message, also when `message` is null. */
  message_ref: string;
  /** The message as it is when the event is sent or read; null once it or its inbox is deleted. */
  message: Message | null;
  /** The recipient. */
  recipient: string;
  complaint: Complaint;
}

/**
 * The first attempt to deliver an outbound message to a recipient was deferred, and it is tried again. Later
 * deferred attempts create no event.
 */
export interface MessageDeferredEvent {
  /** The event; also `webhook-id`. */
  id: string;
  /** What happened. */
  event: 'message.deferred';
  /** When it happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The message, also when `message` is null. */
  message_ref: string;
  /** The message as it is when the event is sent or read; null once it or its inbox is deleted. */
  message: Message | null;
  /** The recipient. */
  recipient: string;
  /** What the recipient’s server or the provider said. */
  detail: string | null;
}

/** A message was deleted, alone or with its thread. `message` is null. Deleting an inbox creates no events. */
export interface MessageDeletedEvent {
  /** The event; also `webhook-id`. */
  id: string;
  /** What happened. */
  event: 'message.deleted';
  /** When it happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The message, also when `message` is null. */
  message_ref: string;
  /** The message as it is when the event is sent or read; null once it or its inbox is deleted. */
  message: Message | null;
}

/** An outbound message was accepted by the recipient’s server. */
export interface MessageDeliveredEvent {
  /** The event; also `webhook-id`. */
  id: string;
  /** What happened. */
  event: 'message.delivered';
  /** When it happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The message, also when `message` is null. */
  message_ref: string;
  /** The message as it is when the event is sent or read; null once it or its inbox is deleted. */
  message: Message | null;
  /** The recipient. */
  recipient: string;
}

/** An outbound message waits until people approve or refuse it. */
export interface MessageHeldEvent {
  /** The event; also `webhook-id`. */
  id: string;
  /** What happened. */
  event: 'message.held';
  /** When it happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The message, also when `message` is null. */
  message_ref: string;
  /** The message as it is when the event is sent or read; null once it or its inbox is deleted. */
  message: Message | null;
}

/** Messages, newest first, or by score. */
export interface MessagePage {
  messages: ListedMessage[];
  /** What to pass as `cursor` for the next page; null on the last one. */
  next_cursor: string | null;
  /** `recent` without a query, else the search mode that ran. */
  mode_used: 'recent' | 'keyword' | 'semantic' | 'hybrid';
  /**
   * Why another mode ran than the requested one; absent if the requested one ran. `unavailable`: semantic
   * search is off on this server, is out of order, or was first requested by this workspace a moment ago.
   */
  fallback_reason?: 'plan' | 'unavailable';
  /**
   * Only there when a search compared the newest messages alone, from this time on. In keyword search, older
   * ones follow on the next pages, ranked among themselves. In semantic search, they are not compared. After
   * an update of the server, and after the first semantic search of a workspace, older ones may also not be
   * in the search index yet.
   */
  ranked_within?: string;
}

/** An inbound email arrived at one of the workspace’s inboxes. */
export interface MessageReceivedEvent {
  /** The event; also `webhook-id`. */
  id: string;
  /** What happened. */
  event: 'message.received';
  /** When it happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The message, also when `message` is null. */
  message_ref: string;
  /** The message as it is when the event is sent or read; null once it or its inbox is deleted. */
  message: Message | null;
}

/** The delivery of a message to one recipient. */
export interface MessageRecipient {
  /** The recipient. */
  address: string;
  status: DeliveryStatus;
  /** What the recipient’s server or the provider said. */
  detail: string | null;
  /** Whether the sandbox kept the mail: it is `sent`, and no other server was told of it. */
  sandboxed: boolean;
  /** When the status last changed. */
  updated_at: string;
}

/**
 * The provider rejected the send or could not be reached until the message expired, or people did not approve
 * it.
 */
export interface MessageRejectedEvent {
  /** The event; also `webhook-id`. */
  id: string;
  /** What happened. */
  event: 'message.rejected';
  /** When it happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The message, also when `message` is null. */
  message_ref: string;
  /** The message as it is when the event is sent or read; null once it or its inbox is deleted. */
  message: Message | null;
  /** The recipient; null for the whole message. */
  recipient: string | null;
  /** What the provider said, `expired`, or `not_approved: ` with the reason that people gave. */
  reason: string;
}

/**
 * The next hop, such as a relay, accepted an outbound message for a recipient. If it is known at once that
 * the recipient’s server has it, there is only `message.delivered`.
 */
export interface MessageSentEvent {
  /** The event; also `webhook-id`. */
  id: string;
  /** What happened. */
  event: 'message.sent';
  /** When it happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The message, also when `message` is null. */
  message_ref: string;
  /** The message as it is when the event is sent or read; null once it or its inbox is deleted. */
  message: Message | null;
  /** The recipient. */
  recipient: string;
}

/**
 * A request changed labels, the read mark or metadata of a message. One request creates one event, or none if
 * it changed nothing. Deleting a label creates none. The server creates one itself once it has read a mail
 * that it was too busy to read: `changed` names the text, the files and what else came with them, and nothing
 * if the mail takes too much to be read.
 */
export interface MessageUpdatedEvent {
  /** The event; also `webhook-id`. */
  id: string;
  /** What happened. */
  event: 'message.updated';
  /** When it happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The message, also when `message` is null. */
  message_ref: string;
  /** The message as it is when the event is sent or read; null once it or its inbox is deleted. */
  message: Message | null;
  /** The names of the fields that changed. */
  changed: string[];
}

/**
 * Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40
 * characters, values up to 500.
 */
export type Metadata = Record<string, string>;

/** The plan of a workspace. */
export type Plan = 'free' | 'pro' | 'scale' | 'business';

/** What the plan of a workspace allows. */
export interface PlanLimits {
  /** Inboxes at one time. */
  inboxes: number;
  /** Messages sent in a UTC calendar month; recipients do not count. */
  emails_per_month: number;
  /** Bytes of stored attachments, inbound and outbound. */
  storage_bytes: number;
  /** Bytes of stored mail: originals and bodies, inbound and outbound. */
  mail_bytes: number;
  /** Requests a second, sustained. */
  requests_per_second: number;
  /** Requests that may come at once. */
  requests_burst: number;
  /** Whether the plan includes own domains. */
  custom_domains: boolean;
  /** Whether the plan includes semantic and hybrid search. */
  semantic_search: boolean;
  /** Whether the plan includes a dedicated subdomain. */
  dedicated_subdomain: boolean;
}

/** A link to the original mail. */
export interface RawMessage {
  /** Download link of the original mail, without a key. */
  url: string;
  /** When the link stops working. */
  expires_at: string;
  /** The size of the original mail. */
  size_bytes: number;
}

/** An address, alone or as `Name <address>`. UTF-8 local parts and international domains are accepted. */
export type Recipient = string;

/** What `messages.reply` takes. */
export interface ReplyToMessage {
  /** The plain-text body, at most 5 MB. */
  text?: string | undefined;
  /** The HTML body, at most 5 MB. */
  html?: string | undefined;
  /** Whether the other recipients get the reply too; without this inbox and repeats. */
  reply_all?: boolean | undefined;
  /** More recipients of a copy. The reply also goes to its usual recipients. */
  cc?: Recipient | Recipient[] | undefined;
  /** Recipients of a blind copy. */
  bcc?: Recipient | Recipient[] | undefined;
  /** Where replies go when it is not the inbox. */
  reply_to?: Recipient | undefined;
  /** More headers, named `X-…` or `List-…`; at most 25. Those that providers read as commands are refused. */
  headers?: Record<string, string> | undefined;
  /**
   * Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40
   * characters, values up to 500. They replace those that were there.
   */
  metadata?: Record<string, string> | undefined;
  /** Files, at most 7 MB in total once decoded. */
  attachments?: AttachmentInput[] | undefined;
  /**
   * Idempotency key: for 24 hours, a request that repeats it returns the original message and sends nothing,
   * even if its content differs.
   */
  client_id?: string | undefined;
  /** Reply even if the message is automatic. The limit of replies still applies. */
  force?: boolean | undefined;
}

/** An entry of the allow and block lists. */
export interface Rule {
  /** The rule. */
  id: string;
  /** Whether matching mail is let through or stopped. */
  kind: 'allow' | 'block';
  /** Inbound rules match the sender, outbound rules the recipient. */
  direction: 'inbound' | 'outbound' | 'both';
  /** The address or domain as it is matched: lowercase, ASCII domain. */
  pattern: string;
  /** When the rule was created. */
  created_at: string;
}

/** Rules, newest first. */
export interface RulePage {
  rules: Rule[];
  /** What to pass as `cursor` for the next page; null on the last one. */
  next_cursor: string | null;
}

/** How a search compares: by words, by meaning, or both. */
export type SearchMode = 'keyword' | 'semantic' | 'hybrid';

/** Who would get a message. */
export interface SendCheck {
  /** The addresses that a send would go to. */
  deliverable: string[];
  /** The addresses that it would leave out, and why. */
  dropped: DroppedRecipient[];
  /**
   * What the policy says: `allow`: it goes out. `approve`: it is held. `never`: it is refused. Pauses and
   * caps are not looked at: `GET /v1/policy` has them.
   */
  send: SendMode;
}

/** What `drafts.send` takes. */
export interface SendDraft {
  /**
   * Idempotency key: for 24 hours, a request that repeats it returns the original message and sends nothing,
   * even if its content differs.
   */
  client_id?: string | undefined;
}

/** What `messages.send` and `messages.check` take. */
export interface SendMessage {
  /** The inbox that sends. */
  inbox_id: string;
  /** The recipient, or a list of them; at most 50 in To, Cc and Bcc together. */
  to: Recipient | Recipient[];
  /** The subject. */
  subject: string;
  /** Recipients of a copy. */
  cc?: Recipient | Recipient[] | undefined;
  /** Recipients of a blind copy. */
  bcc?: Recipient | Recipient[] | undefined;
  /** Where replies go when it is not the inbox. */
  reply_to?: Recipient | undefined;
  /** The plain-text body, at most 5 MB. */
  text?: string | undefined;
  /** The HTML body, at most 5 MB. */
  html?: string | undefined;
  /** A Message-ID; joins its thread when it names a message of this inbox. */
  in_reply_to?: string | undefined;
  /** The Message-IDs of the conversation, oldest first. */
  references?: string[] | undefined;
  /** More headers, named `X-…` or `List-…`; at most 25. Those that providers read as commands are refused. */
  headers?: Record<string, string> | undefined;
  /**
   * Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40
   * characters, values up to 500. They replace those that were there.
   */
  metadata?: Record<string, string> | undefined;
  /** Files, at most 7 MB in total once decoded. */
  attachments?: AttachmentInput[] | undefined;
  /**
   * Idempotency key: for 24 hours, a request that repeats it returns the original message and sends nothing,
   * even if its content differs.
   */
  client_id?: string | undefined;
}

/** `allow`: it goes out. `approve`: it is held until people approve it. `never`: it is refused. */
export type SendMode = 'allow' | 'approve' | 'never';

/** The outcome of a send. */
export interface SendReceipt {
  /** The message. */
  id: string;
  /** The conversation it belongs to. */
  thread_id: string;
  /** The RFC 5322 Message-ID, as recipients see it. */
  message_id: string;
  /** The id that the sending provider gave; null until it accepts. */
  provider_message_id: string | null;
  /** Whether this repeats the response to an earlier request with the same `client_id`. */
  idempotent: boolean;
  /**
   * True if this repeats the response to a request with different content, so nothing of the present one was
   * sent; absent otherwise.
   */
  differs?: true;
  /** Recipients that were not sent to, and why; empty when all were. */
  dropped: DroppedRecipient[];
  delivery_status: DeliveryStatus;
}

/** The message that was sent, and the outcome of the send. */
export interface SentMessage {
  /** The message. */
  id: string;
  /** The conversation it belongs to. */
  thread_id: string;
  /** The inbox it belongs to. */
  inbox_id: string;
  direction: Direction;
  /** The address in From. */
  from_addr: string;
  /** The name in From. */
  from_name: string | null;
  /** The addresses in To. */
  to_addrs: string[];
  /** The addresses in Cc. */
  cc_addrs: string[];
  /** Blind copies of an outbound message; empty on inbound ones. */
  bcc_addrs: string[];
  /** Where replies go when it is not From. */
  reply_to_addrs: string[];
  /** Inbound: the sender as given by SMTP; null for reports. */
  envelope_from: string | null;
  /** Inbound: the recipients as given by SMTP, with the plus tag. */
  envelope_to: string[];
  /** The subject, decoded. */
  subject: string;
  /** The plain-text body; of a mail that has only HTML, the text that a person sees of it. */
  body_text: string | null;
  /** The HTML body as it was sent, unsanitised: treat it as hostile. */
  body_html: string | null;
  /**
   * What is new in a reply: the text without quoted history and signature. For other mail, all of its text.
   * Where the text part only points to the HTML, or says what that hides, it is the text that a person sees
   * of the HTML.
   */
  extracted_text: string | null;
  /** Whether a body was cut at 64 KiB; `messages.get` returns whole ones. */
  body_truncated: boolean;
  /** The beginning of the text, at most 200 characters. */
  snippet: string;
  delivery_status: DeliveryStatus;
  /** Whether it was marked as read; outbound messages are, inbound ones once you say so. */
  read: boolean;
  metadata: Metadata;
  /** The labels assigned to it. */
  labels: AppliedLabel[];
  /** Its files, each with a fresh link. */
  attachments: Attachment[];
  /** The RFC 5322 Message-ID, as recipients see it. */
  message_id: string;
  /** The Message-ID that it replies to. */
  in_reply_to: string | null;
  /** The Message-IDs of its conversation. */
  references: string[];
  /** The id that the sending provider gave; null until it accepts. */
  provider_message_id: string | null;
  /** The idempotency key that it was sent with. */
  client_id: string | null;
  /** Outbound: the delivery to each recipient that was not dropped. Inbound: empty. */
  recipients: MessageRecipient[];
  /** Checks of the sender; null on outbound messages. */
  authentication: Authentication | null;
  /** Whether a machine sent it (RFC 3834): out of office, list, report; or it is own mail that came back. */
  auto_submitted: boolean;
  /**
   * Inbound: whether the HTML has text that a person would not see, such as `display: none`. It is only in
   * `body_html`.
   */
  hidden_text: boolean;
  /** The size of the whole mail as transferred. */
  size_bytes: number;
  /**
   * The fields that were cut: in lists, threads and events each body at 64 KiB, each list of addresses at 100
   * and `references` at 20 (the first and the last ones). `messages.get` returns them whole. Everywhere
   * `attachments`, where the mail had more than 100 files: its original has all of them; and
   * `extracted_text`, where it is the new text of the first 250,000 characters alone. `body_text` and
   * `attachments` of a mail that the server has not read yet, because it was busy: they are null and `[]`
   * until one `message.updated`, and stay so if that names nothing.
   */
  truncated: string[];
  /** When it was received or sent. */
  created_at: string;
  /** Whether this repeats the response to an earlier request with the same `client_id`. */
  idempotent: boolean;
  /**
   * True if this repeats the response to a request with different content, so nothing of the present one was
   * sent; absent otherwise.
   */
  differs?: true;
  /** Recipients that were not sent to, and why; empty when all were. */
  dropped: DroppedRecipient[];
}

/** What `domains.dmarc` takes. */
export interface SetDmarcPolicy {
  /** The policy; by default the next step. */
  policy?: DmarcPolicy | undefined;
}

/** An address that the workspace no longer sends to. */
export interface Suppression {
  /** The address. */
  address: string;
  /** What put it on the list. */
  reason: 'hard_bounce' | 'soft_bounce' | 'complaint' | 'manual';
  /** The message that bounced or was complained of. */
  message_id: string | null;
  /** When it was suppressed. */
  created_at: string;
}

/** Suppressions, newest first. */
export interface SuppressionPage {
  suppressions: Suppression[];
  /** What to pass as `cursor` for the next page; null on the last one. */
  next_cursor: string | null;
}

/** A conversation within one inbox. */
export interface Thread {
  /** The thread. */
  id: string;
  /** The inbox it belongs to. */
  inbox_id: string;
  /** The subject of its first message. */
  subject: string;
  /** The addresses that take part. */
  participants: string[];
  /** How many messages it has. */
  message_count: number;
  /** When its newest message was received or sent. */
  last_message_at: string;
  /** When its first message was received or sent. */
  created_at: string;
  /** The labels of its messages. */
  labels: AppliedLabel[];
  /** Only in search results: the message of the thread that matches best, and no other. */
  messages?: ListedMessage[];
}

/** Threads, last activity first, or by the score of their best message. */
export interface ThreadPage {
  threads: Thread[];
  /** What to pass as `cursor` for the next page; null on the last one. */
  next_cursor: string | null;
  /** `recent` without a query, else the search mode that ran. */
  mode_used: 'recent' | 'keyword' | 'semantic' | 'hybrid';
  /**
   * Why another mode ran than the requested one; absent if the requested one ran. `unavailable`: semantic
   * search is off on this server, is out of order, or was first requested by this workspace a moment ago.
   */
  fallback_reason?: 'plan' | 'unavailable';
  /**
   * Only there when a search compared the newest messages alone, from this time on. In keyword search, older
   * ones follow on the next pages, ranked among themselves. In semantic search, they are not compared. After
   * an update of the server, and after the first semantic search of a workspace, older ones may also not be
   * in the search index yet.
   */
  ranked_within?: string;
}

/** A thread with its messages, oldest first. */
export interface ThreadWithMessages {
  /** The thread. */
  id: string;
  /** The inbox it belongs to. */
  inbox_id: string;
  /** The subject of its first message. */
  subject: string;
  /** The addresses that take part. */
  participants: string[];
  /** How many messages it has. */
  message_count: number;
  /** When its newest message was received or sent. */
  last_message_at: string;
  /** When its first message was received or sent. */
  created_at: string;
  /** The labels of its messages. */
  labels: AppliedLabel[];
  /** The newest 200 messages, oldest first, bodies and attachments inlined. */
  messages: Message[];
  /** Whether older messages were left out. */
  messages_truncated: boolean;
}

/** What `drafts.update` takes. */
export interface UpdateDraft {
  /** Recipients; needed when it is sent. */
  to?: Recipient | Recipient[] | undefined;
  /** Recipients of a copy. */
  cc?: Recipient | Recipient[] | undefined;
  /** Recipients of a blind copy. */
  bcc?: Recipient | Recipient[] | undefined;
  /** The subject; needed when it is sent. */
  subject?: string | null | undefined;
  /** The plain-text body, at most 5 MB. */
  text?: string | null | undefined;
  /** The HTML body, at most 5 MB. */
  html?: string | null | undefined;
  /** Files, at most 7 MB in total once decoded; an update replaces them all. */
  attachments?: AttachmentInput[] | undefined;
  /** The message to reply to. Recipients and subject that are left out are filled in from it. */
  reply_to_message_id?: string | null | undefined;
  /** Whether the other recipients of the original are filled in, too. */
  reply_all?: boolean | undefined;
  /**
   * Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40
   * characters, values up to 500. They replace those that were there.
   */
  metadata?: Record<string, string> | undefined;
  /** When to send it; null to send it by hand. A time that has passed sends at once. */
  scheduled_at?: string | null | undefined;
  /**
   * The `updated_at` of the draft that a person saw. A person who rewrites the body becomes the writer of the
   * draft only if it has not changed since; otherwise the policy of the key that wrote it still applies.
   */
  seen_updated_at?: string | undefined;
}

/** What `inboxes.update` takes. */
export interface UpdateInbox {
  /** Friendly From name on outbound mail; null for none. */
  display_name?: string | null | undefined;
  /**
   * Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40
   * characters, values up to 500. They replace those that were there.
   */
  metadata?: Record<string, string> | undefined;
}

/** What `messages.update` takes. */
export interface UpdateMessage {
  /** Labels to add, by id or by name; a label that does not exist is created. */
  add_labels?: string[] | undefined;
  /** Labels to take off it, by id or by name. */
  remove_labels?: string[] | undefined;
  /** Whether it is marked as read. */
  read?: boolean | undefined;
  /**
   * Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40
   * characters, values up to 500. They replace those that were there.
   */
  metadata?: Record<string, string> | undefined;
}

/** What `webhooks.update` takes. */
export interface UpdateWebhook {
  /** A public https URL. */
  url?: string | undefined;
  /** The event kinds to receive. */
  events?: EventKind[] | undefined;
  /** Only events of these inboxes; null for all. */
  inbox_ids?: string[] | null | undefined;
  /** Whether events are posted. */
  enabled?: boolean | undefined;
}

/** The usage of the workspace. */
export interface Usage {
  /** The number of inboxes. */
  inboxes: number;
  /** Messages sent in this UTC calendar month. */
  emails_this_month: number;
  /** Bytes of stored attachments. */
  storage_bytes: number;
  /** Bytes of stored mail: originals and bodies. */
  mail_bytes: number;
  /** When the count of messages starts again. */
  month_ends_at: string;
}

/** An endpoint of yours that receives events. */
export interface Webhook {
  /** The webhook. */
  id: string;
  /** Where events are posted. */
  url: string;
  /** The kinds it receives. */
  events: EventKind[];
  /** The inboxes whose events it receives; null for all. */
  inbox_ids: string[] | null;
  /** Whether events are posted; false after 5 days of nothing but failures. */
  enabled: boolean;
  /** When the webhook was created. */
  created_at: string;
}

/** Webhooks, newest first. */
export interface WebhookPage {
  webhooks: Webhook[];
  /** What to pass as `cursor` for the next page; null on the last one. */
  next_cursor: string | null;
}

/** A webhook with its signing secret, shown this once. */
export interface WebhookWithSecret {
  /** The webhook. */
  id: string;
  /** Where events are posted. */
  url: string;
  /** The kinds it receives. */
  events: EventKind[];
  /** The inboxes whose events it receives; null for all. */
  inbox_ids: string[] | null;
  /** Whether events are posted; false after 5 days of nothing but failures. */
  enabled: boolean;
  /** When the webhook was created. */
  created_at: string;
  /** The signing secret; shown this once. */
  secret: string;
}

/** The owner of inboxes, mail and keys. */
export interface Workspace {
  /** The workspace. */
  id: string;
  /** Its name on this server, which the operator chose. */
  name: string;
  /** The title that its owners gave it; by default the name. */
  title: string;
  /** Whether it is a test workspace, whose mail never leaves the server. */
  test: boolean;
  /** When the workspace was created. */
  created_at: string;
}

/** The fields that each error has beside `error`, `message` and `request_id`. */
export interface ErrorExtras {
  /** A field is missing, malformed, unknown or over its limit. */
  invalid_request: {
    /** What is wrong, field by field. */
    issues: Issue[];
  };
  /** The body is not JSON. */
  malformed_json: {};
  /** The API key is missing, unknown, revoked or expired. The server responds before it reads the body. */
  invalid_token: {};
  /** The workspace has as many inboxes as its plan allows. */
  inbox_limit_reached: {
    /** Whether a higher plan lifts the limit; false on the highest. */
    upgrade: boolean;
    /** The limit that was reached. */
    limit: number;
  };
  /** Custom domains need the Pro plan or higher. */
  custom_domains_require_paid_plan: {
    /** Whether a higher plan lifts the limit; false on the highest. */
    upgrade: boolean;
  };
  /** A dedicated subdomain needs the Scale plan or higher. */
  dedicated_subdomain_requires_scale: {
    /** Whether a higher plan lifts the limit; false on the highest. */
    upgrade: boolean;
  };
  /** The workspace has sent as many messages this UTC month as its plan allows. */
  email_limit_reached: {
    /** Whether a higher plan lifts the limit; false on the highest. */
    upgrade: boolean;
    /** The limit that was reached. */
    limit: number;
  };
  /**
   * Stored attachments are at the cap of the plan, so a send with attachments is refused; or the files or
   * texts of a draft do not fit.
   */
  storage_limit_reached: {
    /** Whether a higher plan lifts the limit; false on the highest. */
    upgrade: boolean;
    /** The limit in bytes. */
    limit_bytes: number;
  };
  /** People do not allow this key, inbox or workspace to send, or this key to change what it asked to change. */
  sending_not_allowed: {
    /** Where people have set what does not allow it. */
    at: 'key' | 'inbox' | 'workspace';
  };
  /**
   * The path or an id is unknown, or the id belongs to another workspace or to an inbox that is out of scope
   * of the key; these look the same. `param` says which.
   */
  not_found: {
    /** The path parameter or field whose id names nothing; null where the path is unknown. */
    param: string | null;
  };
  /** The path exists, the method does not; the `Allow` header names those that do. */
  method_not_allowed: {};
  /** The address is in use, reserved, or held for the workspace that deleted it; `reason` says which. */
  address_taken: {
    /**
     * `taken`: an inbox or a person has it. `reserved`: nobody can have it. `held`: it was deleted and is
     * kept for its workspace.
     */
    reason: 'taken' | 'reserved' | 'held';
    /** The inbox that has it, where that is your own. */
    inbox_id?: string;
  };
  /** People have paused what this key, inbox, workspace or server sends; nothing was stored. */
  sending_paused: {
    /** What is paused. */
    at: 'key' | 'inbox' | 'workspace' | 'server';
  };
  /** The workspace has a label of this name; upper and lower case are the same. */
  label_name_taken: {};
  /** The domain was added already, belongs to the service, or its name is reserved. */
  domain_taken: {};
  /** Inboxes still use the domain. */
  domain_in_use: {};
  /** The draft is being sent or has been sent. */
  draft_already_sent: {};
  /** The domain is not verified, so no inbox can be created on it and no mail sent from it. */
  domain_not_verified: {};
  /** The message to be replied to was sent by a machine, so a reply could start a loop. */
  auto_reply_loop: {};
  /** A fixed limit of the service is reached, whatever the plan. */
  limit_reached: {
    /** The limit that was reached. */
    limit: number;
  };
  /** `after` is older than the events that are kept. */
  cursor_expired: {
    /** Id of the oldest event that is kept; null when no event is. */
    oldest: string | null;
  };
  /** The attachments of one message are over the limit in total; nothing was sent. */
  attachment_too_large: {
    /** The limit in bytes. */
    limit_bytes: number;
  };
  /** The request, or the message composed from it, is over the limit; nothing was stored. */
  payload_too_large: {
    /** The limit in bytes. */
    limit_bytes: number;
  };
  /** The body is not JSON by its content type, or is compressed. */
  unsupported_media_type: {};
  /** Every recipient is suppressed, blocked by a rule or left out by the policy; nothing was sent. */
  no_deliverable_recipients: {
    /** Every recipient and why it was dropped. */
    blocked: DroppedRecipient[];
  };
  /** The provider, or people who were asked to approve it, refused the message for good. */
  message_rejected: {
    /** The message, stored with status `rejected`. */
    id: string;
    /** What the provider or people said. */
    reason: string;
  };
  /**
   * Too many requests, large requests or reads at once, too many responses that were not read, too many
   * replies in one thread or to one correspondent, or a cap of the sending policy.
   */
  rate_limited: {
    /** How long to wait; also in `Retry-After`. */
    retry_after_seconds: number;
    /**
     * `requests`: too many requests. `loop`: two machines reply to each other. `policy`: a cap that people
     * have set is reached.
     */
    reason: 'requests' | 'loop' | 'policy';
  };
  /** Something is wrong in the server; no detail leaks. */
  internal_error: {};
  /** The server is shutting down, or its database is away or busy; `Retry-After` says when to try again. */
  unavailable: {};
}

/** The status that each error comes with. */
export interface ErrorStatuses {
  invalid_request: 400;
  malformed_json: 400;
  invalid_token: 401;
  inbox_limit_reached: 402;
  custom_domains_require_paid_plan: 402;
  dedicated_subdomain_requires_scale: 402;
  email_limit_reached: 402;
  storage_limit_reached: 402;
  sending_not_allowed: 403;
  not_found: 404;
  method_not_allowed: 405;
  address_taken: 409;
  sending_paused: 409;
  label_name_taken: 409;
  domain_taken: 409;
  domain_in_use: 409;
  draft_already_sent: 409;
  domain_not_verified: 409;
  auto_reply_loop: 409;
  limit_reached: 409;
  cursor_expired: 410;
  attachment_too_large: 413;
  payload_too_large: 413;
  unsupported_media_type: 415;
  no_deliverable_recipients: 422;
  message_rejected: 422;
  rate_limited: 429;
  internal_error: 500;
  unavailable: 503;
}

/** The code of an error, as in the `error` field of an answer. */
export type ErrorCode = keyof ErrorExtras;
