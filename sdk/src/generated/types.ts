// Generated from the contract by scripts/sdk-types.ts. Do not edit.

/**
 * `read`: changes nothing. `inbox`: changes the contents of its inboxes. `inboxes`: also creates and deletes
 * inboxes and labels. `workspace`: also changes rules, suppressions and domains.
 */
export type Access = 'read' | 'inbox' | 'inboxes' | 'workspace';

/** The workspace of the key, its plan and its usage. */
export interface Account {
  workspace: Workspace;
  plan: Plan;
  limits: PlanLimits;
  usage: Usage;
}

/** A right of an admin token. */
export type AdminRight =
  | 'keys'
  | 'policies'
  | 'pauses'
  | 'approvals'
  | 'people'
  | 'webhooks'
  | 'domains'
  | 'usage'
  | 'workspaces';

/** A label on a message or thread. */
export interface AppliedLabel {
  /** The label. */
  id: string;
  /** The name of the label; unique, ignoring case. */
  name: string;
  /** The color of the label, in hex. */
  color: string | null;
}

/** A file of a message, with a fresh download link. */
export interface Attachment {
  /** The attachment. */
  id: string;
  /** The file name, without folders. */
  filename: string;
  /** The media type that the sender declared. */
  mime_type: string;
  /** The decoded size in bytes. */
  size_bytes: number;
  /** The Content-ID without brackets, as used in `cid:` links in HTML. */
  content_id: string | null;
  /** Whether the file is shown within the text rather than as an attachment. */
  inline: boolean;
  /** A download link that needs no key and works for 15 minutes; `Range` requests are supported. */
  url: string;
  /** When the link expires. */
  expires_at: string;
}

/** A file to send. */
export interface AttachmentInput {
  /** The file name, without folders. */
  filename: string;
  /** The media type; by default, it is guessed from the file name. */
  content_type?: string | undefined;
  /** The content in base64. */
  content_base64: string;
  /** The Content-ID. The HTML body can show the file with `<img src="cid:logo">`. */
  content_id?: string | undefined;
}

/** The results of SPF, DKIM and DMARC for an inbound message. */
export interface Authentication {
  spf: AuthenticationResult;
  dkim: AuthenticationResult;
  dmarc: AuthenticationResult;
  /** The domain of the From address, if the checks prove that the mail comes from it. */
  verified_domain: string | null;
}

/** The result of a sender check (RFC 8601). */
export type AuthenticationResult =
  | 'pass'
  | 'fail'
  | 'none'
  | 'neutral'
  | 'softfail'
  | 'policy'
  | 'temperror'
  | 'permerror';

/** The reason for a bounce. */
export interface Bounce {
  /** `hard`: refused permanently. `soft`: refused temporarily, until the server gave up. */
  type: 'hard' | 'soft';
  /** The enhanced status code (RFC 3463), or the reply code if there is none. */
  code: string | null;
  /** The reply of the recipient’s server. */
  diagnostic: string | null;
}

/** A recipient’s complaint. */
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
  /** The inbox that will send the draft. */
  inbox_id: string;
  /** The recipients; required to send the draft. */
  to?: Recipient | Recipient[] | undefined;
  /** The recipients in Cc. */
  cc?: Recipient | Recipient[] | undefined;
  /** The recipients in Bcc. */
  bcc?: Recipient | Recipient[] | undefined;
  /** The subject; required to send the draft. */
  subject?: string | null | undefined;
  /** The plain-text body, at most 5 MB. */
  text?: string | null | undefined;
  /** The HTML body, at most 5 MB. */
  html?: string | null | undefined;
  /** Files, at most 7 MB in total once decoded; an update replaces them all. */
  attachments?: AttachmentInput[] | undefined;
  /** The message to reply to. If recipients and subject are left out, they are filled in from it. */
  reply_to_message_id?: string | null | undefined;
  /** Whether to fill in the other recipients of the original, too. */
  reply_all?: boolean | undefined;
  /**
   * Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ .
   * -`, with values of up to 500 characters. They replace all existing ones.
   */
  metadata?: Record<string, string> | undefined;
  /**
   * When to send the draft; null to send it only on request. If the time is in the past, the draft is sent at
   * once.
   */
  scheduled_at?: string | null | undefined;
}

/** What `inboxes.create` takes. */
export interface CreateInbox {
  /** The part before the `@`; lowercased automatically. */
  local_part: string;
  /** The name in the From header of outbound mail; null for none. */
  display_name?: string | null | undefined;
  /** A verified custom domain; by default, the shared domain. */
  domain_id?: string | null | undefined;
  /**
   * Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ .
   * -`, with values of up to 500 characters. They replace all existing ones.
   */
  metadata?: Record<string, string> | undefined;
}

/** What `labels.create` takes. */
export interface CreateLabel {
  /** The name of the label; unique, ignoring case. */
  name: string;
  /** The color of the label, in hex. */
  color?: string | null | undefined;
}

/** What `rules.create` takes. */
export interface CreateRule {
  /** Whether matching mail is allowed or blocked. */
  kind: 'allow' | 'block';
  /** Inbound rules match the sender; outbound rules match the recipient. */
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
  /** Your own signing secret; by default, the server creates one. */
  secret?: string | undefined;
}

/** One event on its way to one webhook. */
export interface Delivery {
  /** The delivery. */
  id: string;
  /** The webhook. */
  webhook_id: string;
  /** The event, as in the `webhook-id` header. */
  event_id: string;
  event: EventKind;
  /** The status of the delivery. */
  status: 'pending' | 'succeeded' | 'failed';
  /** All attempts so far, oldest first; at most 8. */
  attempts: DeliveryAttempt[];
  /** When the next attempt is due; null if there is none. */
  next_attempt_at: string | null;
  /** When the delivery was created. */
  created_at: string;
}

/** One attempt of a delivery. */
export interface DeliveryAttempt {
  /** When the attempt began. */
  at: string;
  /** The HTTP status of your endpoint’s response. */
  status_code: number | null;
  /** The error, if there was no response. */
  error: string | null;
  /** The duration of the attempt in milliseconds. */
  duration_ms: number;
}

/** Deliveries, newest first. */
export interface DeliveryPage {
  deliveries: Delivery[];
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
}

/**
 * Inbound: `received`. Outbound: `queued`, or `held` until people approve it; `sending` and `sent`; then
 * `delivered`, `deferred` (will be retried), `bounced`, `complained`, `rejected` (by the provider or by
 * people) or `failed`. A message has the worst status of its recipients.
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

/** Whether the message was received (`inbound`) or sent (`outbound`). */
export type Direction = 'inbound' | 'outbound';

/** How receivers should treat mail that fails DMARC. */
export type DmarcPolicy = 'none' | 'quarantine' | 'reject';

/** A DNS record to publish. */
export interface DnsRecord {
  /** The type of the record. */
  type: string;
  /** The full name of the record. */
  name: string;
  /** The value to publish. */
  value: string;
  /** The priority of an MX record. */
  priority: number | null;
  /** The purpose of the record. */
  purpose: 'ownership' | 'dkim' | 'spf' | 'dmarc' | 'mail_from' | 'inbound';
  /** The result of the last check. */
  status: 'pending' | 'verified' | 'failed';
  /**
   * The published value; null if there is none. If there are several, this is the one closest to `value`.
   * Characters that change the direction of text are shown as code points, such as `[U+202E]`.
   */
  found: string | null;
  /**
   * The problem, the name server of the last check, and the time of the next check; for DMARC, also the
   * reports of receivers. Null if everything is in order.
   */
  hint: string | null;
}

/** A sending domain of the workspace. */
export interface Domain {
  /** The domain. */
  id: string;
  /** The domain as ASCII. */
  hostname: string;
  /** `byo`: your own domain. `subdomain`: a subdomain of the service, whose DNS the service sets up. */
  kind: 'byo' | 'subdomain';
  /** Whether the DNS records were found. Only a verified domain can have inboxes. */
  status: 'pending' | 'verifying' | 'verified' | 'failed';
  dmarc_policy: DmarcPolicy;
  /** The domain in the return paths of its mail. */
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
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
}

/** A message to send later, on request or at a scheduled time. */
export interface Draft {
  /** The draft. */
  id: string;
  /** The inbox that will send the draft. */
  inbox_id: string;
  /** The recipients. */
  to: string[];
  /** The recipients in Cc. */
  cc: string[];
  /** The recipients in Bcc. */
  bcc: string[];
  /** The subject. */
  subject: string | null;
  /** The plain-text body. */
  text: string | null;
  /** The HTML body. */
  html: string | null;
  /** The files of the draft, or of the message once the draft is sent; each with a fresh link. */
  attachments: Attachment[];
  /** The message that the draft replies to. */
  reply_to_message_id: string | null;
  metadata: Metadata;
  /** When the draft will be sent. */
  scheduled_at: string | null;
  status: DraftStatus;
  /** The message that was sent from the draft. */
  message_id: string | null;
  /** The error code, if a scheduled send failed. */
  failure: string | null;
  /** When the draft was created. */
  created_at: string;
  /** When the draft last changed. */
  updated_at: string;
}

/** A scheduled draft was not sent because of an error. It can be changed and sent again. */
export interface DraftFailedEvent {
  /** The id of the event, also in the `webhook-id` header. */
  id: string;
  /** The kind of the event. */
  event: 'draft.failed';
  /** When the event happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** Null, because the draft did not become a message. */
  thread_id: string | null;
  /** Null, because the draft did not become a message. */
  message_ref: string | null;
  /**
   * The message in its state when the event is sent or read; null if the message or its inbox has been
   * deleted.
   */
  message: Message | null;
  /** The draft. */
  draft_id: string;
  /** The code of the error that prevented the send. */
  failure: string;
}

/** Drafts, newest first. */
export interface DraftPage {
  drafts: Draft[];
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
}

/** A draft was sent as `message`, on schedule or on request. Later events belong to the message. */
export interface DraftSentEvent {
  /** The id of the event, also in the `webhook-id` header. */
  id: string;
  /** The kind of the event. */
  event: 'draft.sent';
  /** When the event happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The id of the message, even if `message` is null. */
  message_ref: string;
  /**
   * The message in its state when the event is sent or read; null if the message or its inbox has been
   * deleted.
   */
  message: Message | null;
  /** The draft. */
  draft_id: string;
}

/** The status of the draft. */
export type DraftStatus = 'draft' | 'scheduled' | 'sending' | 'sent' | 'failed';

/** A recipient that a send leaves out. */
export interface DroppedRecipient {
  /** The address that was dropped. */
  address: string;
  /**
   * `suppressed`: the address is on the suppression list. `rule`: an outbound block rule matches it.
   * `policy`: people do not allow mail to it.
   */
  reason: 'suppressed' | 'rule' | 'policy';
  /** The rule that matched, if the reason is `rule`. */
  rule_id?: string;
}

/** The sending policy that applies to this key. */
export interface EffectivePolicy {
  send: SendMode;
  /**
   * The strictest setting; a list is stricter than `known`. A recipient must be allowed by the key, the inbox
   * and the workspace: `places` has the setting of each.
   */
  recipients: 'anyone' | 'known' | string[];
  /** The maximum number of emails per hour, counted once for each recipient; null for no limit. */
  per_hour: number | null;
  /** The maximum number of emails in 24 hours, counted once for each recipient; null for no limit. */
  per_day: number | null;
  /** The maximum number of emails per hour in one thread, counted once for each recipient; null for no limit. */
  per_thread_hour: number | null;
  /** The maximum number of emails to one recipient in 24 hours, whatever their outcome; null for no limit. */
  per_recipient_day: number | null;
  /** The maximum number of recipients of one message; null for no limit. */
  recipients_max: number | null;
  /** Where each setting comes from. */
  from: {
    /** Where the setting comes from; `default` if nobody has set it. */
    send: 'key' | 'inbox' | 'workspace' | 'default';
    /** Where the setting comes from; `default` if nobody has set it. */
    recipients: 'key' | 'inbox' | 'workspace' | 'default';
    /** Where the setting comes from; `default` if nobody has set it. */
    per_hour: 'key' | 'inbox' | 'workspace' | 'default';
    /** Where the setting comes from; `default` if nobody has set it. */
    per_day: 'key' | 'inbox' | 'workspace' | 'default';
    /** Where the setting comes from; `default` if nobody has set it. */
    per_thread_hour: 'key' | 'inbox' | 'workspace' | 'default';
    /** Where the setting comes from; `default` if nobody has set it. */
    per_recipient_day: 'key' | 'inbox' | 'workspace' | 'default';
    /** Where the setting comes from; `default` if nobody has set it. */
    recipients_max: 'key' | 'inbox' | 'workspace' | 'default';
  };
  /** The settings of the key, the inbox and the workspace. */
  places: {
    key: Record<string, unknown>;
    inbox: Record<string, unknown>;
    workspace: Record<string, unknown>;
  };
  /** What is paused; null if nothing is. */
  paused: 'key' | 'inbox' | 'workspace' | 'server' | null;
  /** Whether the key can only read. */
  read_only: boolean;
  /** What the key can change. */
  access: Access;
  /** The inboxes that the key can use; other inboxes do not exist for it. Null for all inboxes. */
  inbox_ids: string[] | null;
  /** When the key expires; null if it never expires. */
  expires_at: string | null;
}

/** An event. It has the same form in webhook deliveries, in realtime frames and in the event log. */
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

/** The kind of the event. */
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
  /** The `after` of the next request, even if this page has no events; null only while the log is empty. */
  next_cursor: string | null;
}

/** What `messages.forward` takes. */
export interface ForwardMessage {
  /** One recipient or a list of recipients; at most 50 in To, Cc and Bcc together. */
  to: Recipient | Recipient[];
  /** The recipients in Cc. */
  cc?: Recipient | Recipient[] | undefined;
  /** The recipients in Bcc. */
  bcc?: Recipient | Recipient[] | undefined;
  /** Text above the forwarded message. */
  text?: string | undefined;
  /** HTML above the forwarded message. */
  html?: string | undefined;
  /**
   * Whether to attach the files of the original.
   * @default true
   */
  include_attachments?: boolean | undefined;
  /**
   * Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ .
   * -`, with values of up to 500 characters. They replace all existing ones.
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
  /** The inbox that would send. Without it, the policies of inboxes are left out. */
  inbox_id?: string | undefined;
}

/** An address that can send and receive mail. */
export interface Inbox {
  /** The inbox. */
  id: string;
  /** The part of the address before the `@`. */
  local_part: string;
  /** The name in the From header of outbound mail. */
  display_name: string | null;
  /** The custom domain of the address; null on the shared domain. */
  domain_id: string | null;
  /** The address. Mail to `local+anything@` also arrives here. */
  address: string;
  metadata: Metadata;
  /** When the inbox was created. */
  created_at: string;
}

/** Inboxes, newest first. */
export interface InboxPage {
  inboxes: Inbox[];
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
}

/** One field of a request that is missing or malformed. */
export interface Issue {
  /** The path of the field, with dots: `to.0`, `attachments.2.filename`. */
  path: string;
  /** The problem with the field. */
  message: string;
}

/** A label that messages can have. */
export interface Label {
  /** The label. */
  id: string;
  /** The name of the label; unique, ignoring case. */
  name: string;
  /** The color of the label, in hex. */
  color: string | null;
  /** When the label was created. */
  created_at: string;
}

/** What `labels.assign` and `labels.unassign` take. */
export interface LabelMessage {
  /** The message. */
  message_id: string;
}

/** Labels, sorted by name. */
export interface LabelPage {
  labels: Label[];
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
}

/** What `webhooks.deliveries` takes. */
export interface ListDeliveries {
  /**
   * The maximum number of items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
  cursor?: string | undefined;
}

/** What `domains.list` takes. */
export interface ListDomains {
  /**
   * The maximum number of items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
  cursor?: string | undefined;
}

/** What `drafts.list` takes. */
export interface ListDrafts {
  /** Only drafts of this inbox. */
  inbox_id?: string | undefined;
  status?: DraftStatus | undefined;
  /**
   * The maximum number of items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
  cursor?: string | undefined;
}

/** What `events.list` takes. */
export interface ListEvents {
  /**
   * Only events after the event with this id. `latest` stands for the newest event at the time of the
   * request.
   */
  after?: string | undefined;
  /** Only events of these kinds, separated by commas. */
  events?: EventKind[] | undefined;
  /** Only events of this inbox. */
  inbox_id?: string | undefined;
  /** The maximum number of seconds to wait for the first item. */
  wait_seconds?: number | undefined;
  /**
   * The maximum number of items to return.
   * @default 25
   */
  limit?: number | undefined;
}

/** What `inboxes.list` takes. */
export interface ListInboxes {
  /** Only the inbox with this address, ignoring case. */
  address?: string | undefined;
  /**
   * The maximum number of items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
  cursor?: string | undefined;
}

/** What `labels.list` takes. */
export interface ListLabels {
  /** Only the label with this name, ignoring case. */
  name?: string | undefined;
  /**
   * The maximum number of items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
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
  /** Only messages with attachments, or only those without. */
  has_attachment?: boolean | undefined;
  /** Only messages that are marked as read, or only those that are not. */
  read?: boolean | undefined;
  /** Only messages created at this time or later. */
  after?: string | undefined;
  /** Only messages created before this time. */
  before?: string | undefined;
  /**
   * The search query. All words must match, in any form (`invoices` finds `invoice`), and the last word can
   * be incomplete. Quotation marks keep a phrase together, and `-word` excludes a word. The operators are
   * `from:`, `to:`, `subject:`, `label:`, `in:` (an inbox), `filename:`, `has:attachment`, `is:inbound`,
   * `is:outbound`, `before:` and `after:`. Everything else is searched for as words.
   */
  query?: string | undefined;
  /**
   * The search mode for `query`; `keyword` by default.
   * @default 'keyword'
   */
  mode?: SearchMode | undefined;
  /** The maximum number of seconds to wait for the first item. */
  wait_seconds?: number | undefined;
  /**
   * The maximum number of items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
  cursor?: string | undefined;
}

/** What `rules.list` takes. */
export interface ListRules {
  /**
   * The maximum number of items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
  cursor?: string | undefined;
}

/** What `suppressions.list` takes. */
export interface ListSuppressions {
  /**
   * The maximum number of items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
  cursor?: string | undefined;
}

/** What `threads.list` takes. */
export interface ListThreads {
  /** Only threads of this inbox. */
  inbox_id?: string | undefined;
  /** Only threads in which a message has this label. */
  label_id?: string | undefined;
  /** Only threads in which all messages are read, or only threads with an unread message. */
  read?: boolean | undefined;
  /**
   * The search query. All words must match, in any form (`invoices` finds `invoice`), and the last word can
   * be incomplete. Quotation marks keep a phrase together, and `-word` excludes a word. The operators are
   * `from:`, `to:`, `subject:`, `label:`, `in:` (an inbox), `filename:`, `has:attachment`, `is:inbound`,
   * `is:outbound`, `before:` and `after:`. Everything else is searched for as words.
   */
  query?: string | undefined;
  /**
   * The search mode for `query`; `keyword` by default.
   * @default 'keyword'
   */
  mode?: SearchMode | undefined;
  /**
   * The maximum number of items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
  cursor?: string | undefined;
}

/** What `webhooks.list` takes. */
export interface ListWebhooks {
  /**
   * The maximum number of items to return.
   * @default 25
   */
  limit?: number | undefined;
  /** The `next_cursor` of the previous page; opaque. */
  cursor?: string | undefined;
}

/**
 * A message in a list. Search results have a score, and their snippet shows the matches: each match is
 * enclosed in `**`, and each `*`, `_`, `` ` `` and `\` of the text itself has a backslash before it.
 */
export interface ListedMessage {
  /** The message. */
  id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The inbox that it belongs to. */
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
  /** The addresses in Bcc of an outbound message; empty for inbound messages. */
  bcc_addrs: string[];
  /** The addresses in Reply-To; empty if replies go to From. */
  reply_to_addrs: string[];
  /** Inbound: the sender of the SMTP envelope; null for delivery reports. */
  envelope_from: string | null;
  /** Inbound: the recipients of the SMTP envelope, with their plus tags. */
  envelope_to: string[];
  /** The decoded subject. */
  subject: string;
  /** The plain-text body. If an email has only HTML, this is the visible text of the HTML. */
  body_text: string | null;
  /** The HTML body as it was sent. It is not sanitised: treat it as hostile. */
  body_html: string | null;
  /**
   * The new text of a reply, without quoted history and signature; for other mail, all of its text. If the
   * text part only refers to the HTML, or contains text that the HTML hides, this is taken from the visible
   * text of the HTML.
   */
  extracted_text: string | null;
  /** Whether a body was cut at 64 KiB; `messages.get` returns complete bodies. */
  body_truncated: boolean;
  /** The beginning of the text, at most 200 characters. */
  snippet: string;
  delivery_status: DeliveryStatus;
  /**
   * Whether the message is marked as read. Outbound messages are read from the start; inbound messages become
   * read when you mark them.
   */
  read: boolean;
  metadata: Metadata;
  /** The labels of the message. */
  labels: AppliedLabel[];
  /** The attachments, each with a fresh link. */
  attachments: Attachment[];
  /** The RFC 5322 Message-ID, as recipients see it. */
  message_id: string;
  /** The Message-ID of the message that this one replies to. */
  in_reply_to: string | null;
  /** The Message-IDs in References: the earlier messages of the conversation. */
  references: string[];
  /** The id from the sending provider; null until the provider accepts the message. */
  provider_message_id: string | null;
  /** The idempotency key of the request that sent the message. */
  client_id: string | null;
  /** Outbound: the delivery to each recipient that was not dropped. Inbound: empty. */
  recipients: MessageRecipient[];
  /** The results of the sender checks; null for outbound messages. */
  authentication: Authentication | null;
  /**
   * Whether the message was sent automatically (RFC 3834), such as an out-of-office reply, list mail or a
   * report. Also true for your own mail that came back.
   */
  auto_submitted: boolean;
  /**
   * Inbound: whether the HTML contains text that a person would not see, for example because of `display:
   * none`. Such text is only in `body_html`.
   */
  hidden_text: boolean;
  /** The size of the whole mail as transferred, in bytes. */
  size_bytes: number;
  /**
   * The names of the fields that were cut. Lists, threads and events cut each body at 64 KiB, each list of
   * addresses at 100 entries, and `references` at 20 (the first and the last ones); `messages.get` returns
   * them complete. All responses cut `attachments` at 100 files (the original has all of them), and take
   * `extracted_text` from the first 250,000 characters of a text. If the server was too busy to parse the
   * mail on arrival, `body_text` and `attachments` are named, too: they are null and `[]` until a
   * `message.updated` event, and stay that way if that event names no fields.
   */
  truncated: string[];
  /** When the message was received or sent. */
  created_at: string;
  /**
   * Search results: how well the message matches, from 0 to 1. Scores of different searches cannot be
   * compared.
   */
  score?: number;
  /** Search results: the attachments whose name or text contains words of the query. */
  matched_attachments?: string[];
}

/** An email, received or sent. */
export interface Message {
  /** The message. */
  id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The inbox that it belongs to. */
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
  /** The addresses in Bcc of an outbound message; empty for inbound messages. */
  bcc_addrs: string[];
  /** The addresses in Reply-To; empty if replies go to From. */
  reply_to_addrs: string[];
  /** Inbound: the sender of the SMTP envelope; null for delivery reports. */
  envelope_from: string | null;
  /** Inbound: the recipients of the SMTP envelope, with their plus tags. */
  envelope_to: string[];
  /** The decoded subject. */
  subject: string;
  /** The plain-text body. If an email has only HTML, this is the visible text of the HTML. */
  body_text: string | null;
  /** The HTML body as it was sent. It is not sanitised: treat it as hostile. */
  body_html: string | null;
  /**
   * The new text of a reply, without quoted history and signature; for other mail, all of its text. If the
   * text part only refers to the HTML, or contains text that the HTML hides, this is taken from the visible
   * text of the HTML.
   */
  extracted_text: string | null;
  /** Whether a body was cut at 64 KiB; `messages.get` returns complete bodies. */
  body_truncated: boolean;
  /** The beginning of the text, at most 200 characters. */
  snippet: string;
  delivery_status: DeliveryStatus;
  /**
   * Whether the message is marked as read. Outbound messages are read from the start; inbound messages become
   * read when you mark them.
   */
  read: boolean;
  metadata: Metadata;
  /** The labels of the message. */
  labels: AppliedLabel[];
  /** The attachments, each with a fresh link. */
  attachments: Attachment[];
  /** The RFC 5322 Message-ID, as recipients see it. */
  message_id: string;
  /** The Message-ID of the message that this one replies to. */
  in_reply_to: string | null;
  /** The Message-IDs in References: the earlier messages of the conversation. */
  references: string[];
  /** The id from the sending provider; null until the provider accepts the message. */
  provider_message_id: string | null;
  /** The idempotency key of the request that sent the message. */
  client_id: string | null;
  /** Outbound: the delivery to each recipient that was not dropped. Inbound: empty. */
  recipients: MessageRecipient[];
  /** The results of the sender checks; null for outbound messages. */
  authentication: Authentication | null;
  /**
   * Whether the message was sent automatically (RFC 3834), such as an out-of-office reply, list mail or a
   * report. Also true for your own mail that came back.
   */
  auto_submitted: boolean;
  /**
   * Inbound: whether the HTML contains text that a person would not see, for example because of `display:
   * none`. Such text is only in `body_html`.
   */
  hidden_text: boolean;
  /** The size of the whole mail as transferred, in bytes. */
  size_bytes: number;
  /**
   * The names of the fields that were cut. Lists, threads and events cut each body at 64 KiB, each list of
   * addresses at 100 entries, and `references` at 20 (the first and the last ones); `messages.get` returns
   * them complete. All responses cut `attachments` at 100 files (the original has all of them), and take
   * `extracted_text` from the first 250,000 characters of a text. If the server was too busy to parse the
   * mail on arrival, `body_text` and `attachments` are named, too: they are null and `[]` until a
   * `message.updated` event, and stay that way if that event names no fields.
   */
  truncated: string[];
  /** When the message was received or sent. */
  created_at: string;
}

/** The message bounced, hard or soft. The address is now suppressed. */
export interface MessageBouncedEvent {
  /** The id of the event, also in the `webhook-id` header. */
  id: string;
  /** The kind of the event. */
  event: 'message.bounced';
  /** When the event happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The id of the message, even if `message` is null. */
  message_ref: string;
  /**
   * The message in its state when the event is sent or read; null if the message or its inbox has been
   * deleted.
   */
  message: Message | null;
  /** The recipient. */
  recipient: string;
  bounce: Bounce;
}

/** The recipient complained of spam. The address is now suppressed. */
export interface MessageComplainedEvent {
  /** The id of the event, also in the `webhook-id` header. */
  id: string;
  /** The kind of the event. */
  event: 'message.complained';
  /** When the event happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The id of the message, even if `message` is null. */
  message_ref: string;
  /**
   * The message in its state when the event is sent or read; null if the message or its inbox has been
   * deleted.
   */
  message: Message | null;
  /** The recipient. */
  recipient: string;
  complaint: Complaint;
}

/**
 * The first attempt to deliver an outbound message to a recipient was deferred, and will be retried. Later
 * deferrals create no event.
 */
export interface MessageDeferredEvent {
  /** The id of the event, also in the `webhook-id` header. */
  id: string;
  /** The kind of the event. */
  event: 'message.deferred';
  /** When the event happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The id of the message, even if `message` is null. */
  message_ref: string;
  /**
   * The message in its state when the event is sent or read; null if the message or its inbox has been
   * deleted.
   */
  message: Message | null;
  /** The recipient. */
  recipient: string;
  /** The reply of the recipient’s server or the provider. */
  detail: string | null;
}

/** A message was deleted, alone or with its thread. `message` is null. Deleting an inbox creates no events. */
export interface MessageDeletedEvent {
  /** The id of the event, also in the `webhook-id` header. */
  id: string;
  /** The kind of the event. */
  event: 'message.deleted';
  /** When the event happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The id of the message, even if `message` is null. */
  message_ref: string;
  /**
   * The message in its state when the event is sent or read; null if the message or its inbox has been
   * deleted.
   */
  message: Message | null;
}

/** The recipient’s server accepted an outbound message. */
export interface MessageDeliveredEvent {
  /** The id of the event, also in the `webhook-id` header. */
  id: string;
  /** The kind of the event. */
  event: 'message.delivered';
  /** When the event happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The id of the message, even if `message` is null. */
  message_ref: string;
  /**
   * The message in its state when the event is sent or read; null if the message or its inbox has been
   * deleted.
   */
  message: Message | null;
  /** The recipient. */
  recipient: string;
}

/** An outbound message waits for people to approve or refuse it. */
export interface MessageHeldEvent {
  /** The id of the event, also in the `webhook-id` header. */
  id: string;
  /** The kind of the event. */
  event: 'message.held';
  /** When the event happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The id of the message, even if `message` is null. */
  message_ref: string;
  /**
   * The message in its state when the event is sent or read; null if the message or its inbox has been
   * deleted.
   */
  message: Message | null;
}

/** Messages, newest first, or by score. */
export interface MessagePage {
  messages: ListedMessage[];
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
  /** The search mode that ran; `recent` without a query. */
  mode_used: 'recent' | 'keyword' | 'semantic' | 'hybrid';
  /**
   * Why a mode other than the requested one ran; absent if the requested mode ran. `unavailable`: semantic
   * search is off on this server, is failing, or was first requested by this workspace a moment ago.
   */
  fallback_reason?: 'plan' | 'unavailable';
  /**
   * The time from which messages were compared; absent if all were. In keyword search, older messages follow
   * on later pages, ranked separately. In semantic search, older messages are not compared. After an update
   * of the server, or the first semantic search of a workspace, older messages may not be in the search index
   * yet.
   */
  ranked_within?: string;
}

/** An inbound email arrived at one of the workspace’s inboxes. */
export interface MessageReceivedEvent {
  /** The id of the event, also in the `webhook-id` header. */
  id: string;
  /** The kind of the event. */
  event: 'message.received';
  /** When the event happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The id of the message, even if `message` is null. */
  message_ref: string;
  /**
   * The message in its state when the event is sent or read; null if the message or its inbox has been
   * deleted.
   */
  message: Message | null;
}

/** The delivery of a message to one recipient. */
export interface MessageRecipient {
  /** The recipient. */
  address: string;
  status: DeliveryStatus;
  /** The reply of the recipient’s server or the provider. */
  detail: string | null;
  /** Whether the sandbox kept the mail. Its status is `sent`, but it did not leave this server. */
  sandboxed: boolean;
  /** When the status last changed. */
  updated_at: string;
}

/**
 * The provider rejected the message, the message expired before the provider could be reached, or people did
 * not approve it.
 */
export interface MessageRejectedEvent {
  /** The id of the event, also in the `webhook-id` header. */
  id: string;
  /** The kind of the event. */
  event: 'message.rejected';
  /** When the event happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The id of the message, even if `message` is null. */
  message_ref: string;
  /**
   * The message in its state when the event is sent or read; null if the message or its inbox has been
   * deleted.
   */
  message: Message | null;
  /** The recipient; null if the whole message was rejected. */
  recipient: string | null;
  /** The reply of the provider, `expired`, or `not_approved: ` with the reason that people gave. */
  reason: string;
}

/**
 * The next hop, such as a relay, accepted an outbound message for a recipient. If the recipient’s server
 * itself accepts the message, there is only `message.delivered`.
 */
export interface MessageSentEvent {
  /** The id of the event, also in the `webhook-id` header. */
  id: string;
  /** The kind of the event. */
  event: 'message.sent';
  /** When the event happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The id of the message, even if `message` is null. */
  message_ref: string;
  /**
   * The message in its state when the event is sent or read; null if the message or its inbox has been
   * deleted.
   */
  message: Message | null;
  /** The recipient. */
  recipient: string;
}

/**
 * A request changed the labels, the read mark or the metadata of a message. A request creates one event, or
 * none if it changes nothing. Deleting a label creates none. The server also creates one after it parses an
 * email that it was too busy to parse on arrival: `changed` names the text, the attachments and every other
 * field that was filled in. It is empty if parsing the mail would take more resources than one email is
 * allowed.
 */
export interface MessageUpdatedEvent {
  /** The id of the event, also in the `webhook-id` header. */
  id: string;
  /** The kind of the event. */
  event: 'message.updated';
  /** When the event happened. */
  created_at: string;
  /** The workspace. */
  workspace_id: string;
  /** The inbox. */
  inbox_id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The id of the message, even if `message` is null. */
  message_ref: string;
  /**
   * The message in its state when the event is sent or read; null if the message or its inbox has been
   * deleted.
   */
  message: Message | null;
  /** The names of the fields that changed. */
  changed: string[];
}

/**
 * Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ .
 * -`, with values of up to 500 characters.
 */
export type Metadata = Record<string, string>;

/** The plan of a workspace. */
export type Plan = 'free' | 'pro' | 'scale' | 'business';

/** The limits of a workspace’s plan. */
export interface PlanLimits {
  /** The maximum number of inboxes. */
  inboxes: number;
  /** The maximum number of messages sent in a UTC calendar month, whatever their number of recipients. */
  emails_per_month: number;
  /** The maximum size of stored attachments, inbound and outbound, in bytes. */
  storage_bytes: number;
  /** The maximum size of stored mail in bytes: originals and bodies, inbound and outbound. */
  mail_bytes: number;
  /** The sustained number of requests per second. */
  requests_per_second: number;
  /** The number of requests that can be sent at once. */
  requests_burst: number;
  /** Whether the plan includes custom domains. */
  custom_domains: boolean;
  /** Whether the plan includes semantic and hybrid search. */
  semantic_search: boolean;
  /** Whether the plan includes a dedicated subdomain. */
  dedicated_subdomain: boolean;
}

/** A link to the original mail. */
export interface RawMessage {
  /** A download link for the original mail, which needs no key. */
  url: string;
  /** When the link expires. */
  expires_at: string;
  /** The size of the original mail in bytes. */
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
  /** Whether to send the reply to the other recipients, too. This inbox and duplicates are left out. */
  reply_all?: boolean | undefined;
  /** Additional recipients in Cc, besides the usual recipients of the reply. */
  cc?: Recipient | Recipient[] | undefined;
  /** The recipients in Bcc. */
  bcc?: Recipient | Recipient[] | undefined;
  /** The address that replies go to; by default, the inbox. */
  reply_to?: Recipient | undefined;
  /** More headers, named `X-…` or `List-…`; at most 25. Headers that providers treat as commands are refused. */
  headers?: Record<string, string> | undefined;
  /**
   * Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ .
   * -`, with values of up to 500 characters. They replace all existing ones.
   */
  metadata?: Record<string, string> | undefined;
  /** Files, at most 7 MB in total once decoded. */
  attachments?: AttachmentInput[] | undefined;
  /**
   * Idempotency key: for 24 hours, a request that repeats it returns the original message and sends nothing,
   * even if its content differs.
   */
  client_id?: string | undefined;
  /** Whether to reply even if the message was sent automatically. The limit on replies still applies. */
  force?: boolean | undefined;
}

/** An entry of the allow and block lists. */
export interface Rule {
  /** The rule. */
  id: string;
  /** Whether matching mail is allowed or blocked. */
  kind: 'allow' | 'block';
  /** Inbound rules match the sender; outbound rules match the recipient. */
  direction: 'inbound' | 'outbound' | 'both';
  /** The address or domain in the form that is matched: in lowercase, with an ASCII domain. */
  pattern: string;
  /** When the rule was created. */
  created_at: string;
}

/** Rules, newest first. */
export interface RulePage {
  rules: Rule[];
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
}

/** How a search compares: by words, by meaning, or by both. */
export type SearchMode = 'keyword' | 'semantic' | 'hybrid';

/** Who would receive a message. */
export interface SendCheck {
  /** The addresses that a send would go to. */
  deliverable: string[];
  /** The addresses that a send would leave out, and why. */
  dropped: DroppedRecipient[];
  /**
   * The decision of the policy. `allow`: the message would be sent. `approve`: it would be held. `never`: it
   * would be refused. Pauses and caps are not considered here: `GET /v1/policy` has them.
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
  /** One recipient or a list of recipients; at most 50 in To, Cc and Bcc together. */
  to: Recipient | Recipient[];
  /** The subject. */
  subject: string;
  /** The recipients in Cc. */
  cc?: Recipient | Recipient[] | undefined;
  /** The recipients in Bcc. */
  bcc?: Recipient | Recipient[] | undefined;
  /** The address that replies go to; by default, the inbox. */
  reply_to?: Recipient | undefined;
  /** The plain-text body, at most 5 MB. */
  text?: string | undefined;
  /** The HTML body, at most 5 MB. */
  html?: string | undefined;
  /** A Message-ID. If it belongs to a message of this inbox, the new message joins its thread. */
  in_reply_to?: string | undefined;
  /** The Message-IDs of the conversation, oldest first. */
  references?: string[] | undefined;
  /** More headers, named `X-…` or `List-…`; at most 25. Headers that providers treat as commands are refused. */
  headers?: Record<string, string> | undefined;
  /**
   * Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ .
   * -`, with values of up to 500 characters. They replace all existing ones.
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

/** `allow`: mail is sent. `approve`: mail is held until people approve it. `never`: mail is refused. */
export type SendMode = 'allow' | 'approve' | 'never';

/** The outcome of a send. */
export interface SendReceipt {
  /** The message. */
  id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The RFC 5322 Message-ID, as recipients see it. */
  message_id: string;
  /** The id from the sending provider; null until the provider accepts the message. */
  provider_message_id: string | null;
  /** Whether this repeats the response to an earlier request with the same `client_id`. */
  idempotent: boolean;
  /**
   * True if the earlier request had different content, so the content of this request was not sent; absent
   * otherwise.
   */
  differs?: true;
  /** The recipients that were left out, and why; empty if none were. */
  dropped: DroppedRecipient[];
  delivery_status: DeliveryStatus;
}

/** The message that was sent, and the outcome of the send. */
export interface SentMessage {
  /** The message. */
  id: string;
  /** The thread of the message. */
  thread_id: string;
  /** The inbox that it belongs to. */
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
  /** The addresses in Bcc of an outbound message; empty for inbound messages. */
  bcc_addrs: string[];
  /** The addresses in Reply-To; empty if replies go to From. */
  reply_to_addrs: string[];
  /** Inbound: the sender of the SMTP envelope; null for delivery reports. */
  envelope_from: string | null;
  /** Inbound: the recipients of the SMTP envelope, with their plus tags. */
  envelope_to: string[];
  /** The decoded subject. */
  subject: string;
  /** The plain-text body. If an email has only HTML, this is the visible text of the HTML. */
  body_text: string | null;
  /** The HTML body as it was sent. It is not sanitised: treat it as hostile. */
  body_html: string | null;
  /**
   * The new text of a reply, without quoted history and signature; for other mail, all of its text. If the
   * text part only refers to the HTML, or contains text that the HTML hides, this is taken from the visible
   * text of the HTML.
   */
  extracted_text: string | null;
  /** Whether a body was cut at 64 KiB; `messages.get` returns complete bodies. */
  body_truncated: boolean;
  /** The beginning of the text, at most 200 characters. */
  snippet: string;
  delivery_status: DeliveryStatus;
  /**
   * Whether the message is marked as read. Outbound messages are read from the start; inbound messages become
   * read when you mark them.
   */
  read: boolean;
  metadata: Metadata;
  /** The labels of the message. */
  labels: AppliedLabel[];
  /** The attachments, each with a fresh link. */
  attachments: Attachment[];
  /** The RFC 5322 Message-ID, as recipients see it. */
  message_id: string;
  /** The Message-ID of the message that this one replies to. */
  in_reply_to: string | null;
  /** The Message-IDs in References: the earlier messages of the conversation. */
  references: string[];
  /** The id from the sending provider; null until the provider accepts the message. */
  provider_message_id: string | null;
  /** The idempotency key of the request that sent the message. */
  client_id: string | null;
  /** Outbound: the delivery to each recipient that was not dropped. Inbound: empty. */
  recipients: MessageRecipient[];
  /** The results of the sender checks; null for outbound messages. */
  authentication: Authentication | null;
  /**
   * Whether the message was sent automatically (RFC 3834), such as an out-of-office reply, list mail or a
   * report. Also true for your own mail that came back.
   */
  auto_submitted: boolean;
  /**
   * Inbound: whether the HTML contains text that a person would not see, for example because of `display:
   * none`. Such text is only in `body_html`.
   */
  hidden_text: boolean;
  /** The size of the whole mail as transferred, in bytes. */
  size_bytes: number;
  /**
   * The names of the fields that were cut. Lists, threads and events cut each body at 64 KiB, each list of
   * addresses at 100 entries, and `references` at 20 (the first and the last ones); `messages.get` returns
   * them complete. All responses cut `attachments` at 100 files (the original has all of them), and take
   * `extracted_text` from the first 250,000 characters of a text. If the server was too busy to parse the
   * mail on arrival, `body_text` and `attachments` are named, too: they are null and `[]` until a
   * `message.updated` event, and stay that way if that event names no fields.
   */
  truncated: string[];
  /** When the message was received or sent. */
  created_at: string;
  /** Whether this repeats the response to an earlier request with the same `client_id`. */
  idempotent: boolean;
  /**
   * True if the earlier request had different content, so the content of this request was not sent; absent
   * otherwise.
   */
  differs?: true;
  /** The recipients that were left out, and why; empty if none were. */
  dropped: DroppedRecipient[];
}

/** What `domains.dmarc` takes. */
export interface SetDmarcPolicy {
  /** The policy; by default, the next stricter one. */
  policy?: DmarcPolicy | undefined;
}

/** An address that the workspace no longer sends to. */
export interface Suppression {
  /** The address. */
  address: string;
  /** Why the address is on the list. */
  reason: 'hard_bounce' | 'soft_bounce' | 'complaint' | 'manual';
  /** The message that bounced or caused the complaint. */
  message_id: string | null;
  /** When the address was suppressed. */
  created_at: string;
}

/** Suppressions, newest first. */
export interface SuppressionPage {
  suppressions: Suppression[];
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
}

/** A conversation within one inbox. */
export interface Thread {
  /** The thread. */
  id: string;
  /** The inbox that it belongs to. */
  inbox_id: string;
  /** The subject of the first message. */
  subject: string;
  /** The addresses of the participants. */
  participants: string[];
  /** The number of messages. */
  message_count: number;
  /** When the newest message was received or sent. */
  last_message_at: string;
  /** When the first message was received or sent. */
  created_at: string;
  /** The labels of the messages. */
  labels: AppliedLabel[];
  /** Only in search results: a list with the best match of the thread. */
  messages?: ListedMessage[];
}

/** Threads, latest activity first, or by the score of their best match. */
export interface ThreadPage {
  threads: Thread[];
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
  /** The search mode that ran; `recent` without a query. */
  mode_used: 'recent' | 'keyword' | 'semantic' | 'hybrid';
  /**
   * Why a mode other than the requested one ran; absent if the requested mode ran. `unavailable`: semantic
   * search is off on this server, is failing, or was first requested by this workspace a moment ago.
   */
  fallback_reason?: 'plan' | 'unavailable';
  /**
   * The time from which messages were compared; absent if all were. In keyword search, older messages follow
   * on later pages, ranked separately. In semantic search, older messages are not compared. After an update
   * of the server, or the first semantic search of a workspace, older messages may not be in the search index
   * yet.
   */
  ranked_within?: string;
}

/** A thread with its messages, oldest first. */
export interface ThreadWithMessages {
  /** The thread. */
  id: string;
  /** The inbox that it belongs to. */
  inbox_id: string;
  /** The subject of the first message. */
  subject: string;
  /** The addresses of the participants. */
  participants: string[];
  /** The number of messages. */
  message_count: number;
  /** When the newest message was received or sent. */
  last_message_at: string;
  /** When the first message was received or sent. */
  created_at: string;
  /** The labels of the messages. */
  labels: AppliedLabel[];
  /** The newest 200 messages, oldest first, with their bodies and attachments. */
  messages: Message[];
  /** Whether older messages were left out. */
  messages_truncated: boolean;
}

/** What `drafts.update` takes. */
export interface UpdateDraft {
  /** The recipients; required to send the draft. */
  to?: Recipient | Recipient[] | undefined;
  /** The recipients in Cc. */
  cc?: Recipient | Recipient[] | undefined;
  /** The recipients in Bcc. */
  bcc?: Recipient | Recipient[] | undefined;
  /** The subject; required to send the draft. */
  subject?: string | null | undefined;
  /** The plain-text body, at most 5 MB. */
  text?: string | null | undefined;
  /** The HTML body, at most 5 MB. */
  html?: string | null | undefined;
  /** Files, at most 7 MB in total once decoded; an update replaces them all. */
  attachments?: AttachmentInput[] | undefined;
  /** The message to reply to. If recipients and subject are left out, they are filled in from it. */
  reply_to_message_id?: string | null | undefined;
  /** Whether to fill in the other recipients of the original, too. */
  reply_all?: boolean | undefined;
  /**
   * Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ .
   * -`, with values of up to 500 characters. They replace all existing ones.
   */
  metadata?: Record<string, string> | undefined;
  /**
   * When to send the draft; null to send it only on request. If the time is in the past, the draft is sent at
   * once.
   */
  scheduled_at?: string | null | undefined;
  /**
   * The `updated_at` of the draft as a person saw it. A person who rewrites the body becomes the writer of
   * the draft only if the draft has not changed since then. Otherwise, the policy of the key that wrote it
   * still applies.
   */
  seen_updated_at?: string | undefined;
}

/** What `inboxes.update` takes. */
export interface UpdateInbox {
  /** The name in the From header of outbound mail; null for none. */
  display_name?: string | null | undefined;
  /**
   * Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ .
   * -`, with values of up to 500 characters. They replace all existing ones.
   */
  metadata?: Record<string, string> | undefined;
}

/** What `messages.update` takes. */
export interface UpdateMessage {
  /** Labels to add, by id or by name; a label that does not exist is created. */
  add_labels?: string[] | undefined;
  /** Labels to remove, by id or by name. */
  remove_labels?: string[] | undefined;
  /** Whether the message is marked as read. */
  read?: boolean | undefined;
  /**
   * Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ .
   * -`, with values of up to 500 characters. They replace all existing ones.
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
  /** The number of messages sent in this UTC calendar month. */
  emails_this_month: number;
  /** The size of stored attachments in bytes. */
  storage_bytes: number;
  /** The size of stored mail in bytes: originals and bodies. */
  mail_bytes: number;
  /** When the month ends and the count of messages restarts. */
  month_ends_at: string;
}

/** Your endpoint that receives events. */
export interface Webhook {
  /** The webhook. */
  id: string;
  /** Where events are posted. */
  url: string;
  /** The event kinds that it receives. */
  events: EventKind[];
  /** The inboxes whose events it receives; null for all. */
  inbox_ids: string[] | null;
  /** Whether events are posted. It becomes false after 5 days in which every attempt failed. */
  enabled: boolean;
  /** When the webhook was created. */
  created_at: string;
}

/** Webhooks, newest first. */
export interface WebhookPage {
  webhooks: Webhook[];
  /** The `cursor` of the next page; null on the last page. */
  next_cursor: string | null;
}

/** A webhook with its signing secret, which is shown only this once. */
export interface WebhookWithSecret {
  /** The webhook. */
  id: string;
  /** Where events are posted. */
  url: string;
  /** The event kinds that it receives. */
  events: EventKind[];
  /** The inboxes whose events it receives; null for all. */
  inbox_ids: string[] | null;
  /** Whether events are posted. It becomes false after 5 days in which every attempt failed. */
  enabled: boolean;
  /** When the webhook was created. */
  created_at: string;
  /** The signing secret; it is shown only this once. */
  secret: string;
}

/** The owner of inboxes, mail and keys. */
export interface Workspace {
  /** The workspace. */
  id: string;
  /** The name on this server, which the operator chose. */
  name: string;
  /** The title that the owners chose; by default, the name. */
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
    /** The problems, one for each field. */
    issues: Issue[];
  };
  /** The body is not JSON. */
  malformed_json: {};
  /** The API key is missing, unknown, revoked or expired. The server responds before reading the body. */
  invalid_token: {};
  /** The workspace has as many inboxes as its plan allows. */
  inbox_limit_reached: {
    /** Whether a higher plan raises the limit; false on the highest plan. */
    upgrade: boolean;
    /** The limit that was reached. */
    limit: number;
  };
  /** Custom domains need the Pro plan or higher. */
  custom_domains_require_paid_plan: {
    /** Whether a higher plan raises the limit; false on the highest plan. */
    upgrade: boolean;
  };
  /** A dedicated subdomain needs the Scale plan or higher. */
  dedicated_subdomain_requires_scale: {
    /** Whether a higher plan raises the limit; false on the highest plan. */
    upgrade: boolean;
  };
  /** The workspace has sent as many messages this UTC month as its plan allows. */
  email_limit_reached: {
    /** Whether a higher plan raises the limit; false on the highest plan. */
    upgrade: boolean;
    /** The limit that was reached. */
    limit: number;
  };
  /**
   * The storage of the plan is full: it has no room for the attachments of a message, or for the files or
   * text of a draft.
   */
  storage_limit_reached: {
    /** Whether a higher plan raises the limit; false on the highest plan. */
    upgrade: boolean;
    /** The limit in bytes. */
    limit_bytes: number;
  };
  /**
   * People have restricted this key, inbox or workspace: it cannot send, or the key cannot make the requested
   * change.
   */
  sending_not_allowed: {
    /** Where the restriction is set. */
    at: 'key' | 'inbox' | 'workspace';
  };
  /** The admin token lacks the right that this route of the management API requires. */
  right_missing: {
    /** The right that the admin token lacks. */
    right: AdminRight;
  };
  /**
   * The path or an id is unknown, or the id belongs to another workspace or to an inbox outside the scope of
   * the key; the response does not tell these apart. `param` names the parameter or field with the id.
   */
  not_found: {
    /** The path parameter or field with the unknown id; null if the path is unknown. */
    param: string | null;
  };
  /** The path does not support the method; the `Allow` header names the methods that it supports. */
  method_not_allowed: {};
  /** The address is in use, reserved, or held for the workspace that deleted it; `reason` says which. */
  address_taken: {
    /**
     * `taken`: an inbox or a person has the address. `reserved`: nobody can have it. `held`: its inbox was
     * deleted, and only the same workspace can create it again.
     */
    reason: 'taken' | 'reserved' | 'held';
    /** The inbox that has the address, if it is one of your own. */
    inbox_id?: string;
  };
  /** People have paused sending for this key, inbox, workspace or server; nothing was stored. */
  sending_paused: {
    /** What is paused. */
    at: 'key' | 'inbox' | 'workspace' | 'server';
  };
  /** The workspace already has a label with this name, ignoring case. */
  label_name_taken: {};
  /** The domain has already been added, belongs to the service, or has a reserved name. */
  domain_taken: {};
  /** Inboxes still use the domain. */
  domain_in_use: {};
  /** The draft is being sent or has been sent. */
  draft_already_sent: {};
  /** The domain is not verified, so no inbox can be created on it and no mail sent from it. */
  domain_not_verified: {};
  /** The original message was sent automatically, so a reply could start a loop. */
  auto_reply_loop: {};
  /** A fixed limit, which is the same on every plan, has been reached. */
  limit_reached: {
    /** The limit that was reached. */
    limit: number;
  };
  /** `after` is older than the oldest event in the log. */
  cursor_expired: {
    /** The id of the oldest event that is kept; null if there is none. */
    oldest: string | null;
  };
  /** The attachments of one message together exceed the limit; nothing was sent. */
  attachment_too_large: {
    /** The limit in bytes. */
    limit_bytes: number;
  };
  /** The request, or the message composed from it, exceeds the limit; nothing was stored. */
  payload_too_large: {
    /** The limit in bytes. */
    limit_bytes: number;
  };
  /** The content type is not JSON, or the body is compressed. */
  unsupported_media_type: {};
  /** Every recipient is suppressed, blocked by a rule or excluded by the policy; nothing was sent. */
  no_deliverable_recipients: {
    /** Every recipient, with the reason why it was dropped. */
    blocked: DroppedRecipient[];
  };
  /** The provider rejected the message permanently, or the people who had to approve it refused it. */
  message_rejected: {
    /** The message, stored with status `rejected`. */
    id: string;
    /** The reason that the provider or people gave. */
    reason: string;
  };
  /**
   * There were too many requests, large requests or reads at once, unread responses, or replies in one thread
   * or to one correspondent; or a cap of the sending policy has been reached.
   */
  rate_limited: {
    /** The number of seconds to wait; also in `Retry-After`. */
    retry_after_seconds: number;
    /**
     * `requests`: too many requests. `loop`: two machines reply to each other. `policy`: a cap of the sending
     * policy has been reached.
     */
    reason: 'requests' | 'loop' | 'policy';
  };
  /** The server failed. The response does not reveal the cause. */
  internal_error: {};
  /**
   * The server is shutting down, or its database is unavailable or busy; `Retry-After` says when to try
   * again.
   */
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
  right_missing: 403;
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
