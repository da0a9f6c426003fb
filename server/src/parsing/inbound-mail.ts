/*
 * A mail that arrived: it is parsed and authenticated, and becomes the record of a message in each inbox that it is for.
 */
import { type Authentication, limits } from '@postrider/contract';
import type { Deps } from '../deps.ts';
import { leadsBack, sharedDomain } from '../domains/mail-domain.ts';
import type { InboxAddress } from '../inboxes/find-inbox.ts';
import { sha256 } from '../lib/crypto/primitives.ts';
import { newId } from '../lib/ids.ts';
import { makeSnippet } from '../lib/texts.ts';
import { isThreadId } from '../mail/parse/message-ids.ts';
import type { ParsedMail } from '../mail/parse/parsed-mail.ts';
import { conversationId, isAnswer } from '../mail/thread-index.ts';
import {
  createAttachmentRow,
  type MessageRecord,
  type NewMessage,
} from '../messages/store/message-record.ts';

/**
 * Whether a mail was parsed. One that is `unparsed` has its header alone because nothing could parse it in time, and is parsed again later.
 * One that is `unparsable` took more processor time or memory than a mail may, and stays without the rest.
 */
export type ParseState = 'parsed' | 'unparsed' | 'unparsable';

/** A received mail, parsed and authenticated. */
export interface InboundMail {
  raw: Buffer;
  hash: Buffer;
  envelopeFrom: string;
  /** Null for mail that never left this server. */
  remoteAddress: string | null;
  helo: string | null;
  parsed: ParsedMail;
  state: ParseState;
  authentication: Authentication | null;
  /** The domain whose DMARC policy asks to reject the mail, or null. */
  rejectedBy: string | null;
  at: Date;
}

/** The bytes of a mail, with the client and the envelope sender. */
export interface ReceivedMail {
  raw: Buffer;
  envelopeFrom: string;
  helo: string | null;
  /** Null for mail that never left this server. */
  remoteAddress: string | null;
  /** The owner whose turn it uses among mails waiting to be parsed. Mails without an owner share one. */
  owner?: string;
}

/**
 * Parses and authenticates a mail. Parts that cannot be read are left out; no mail is refused for them. If the parser does not get to the
 * mail within `patienceMs`, it has its header alone and is to be parsed again.
 */
export async function readInbound(
  deps: Deps,
  received: ReceivedMail,
  at: Date,
  patienceMs: number = deps.parsePatienceMs,
): Promise<InboundMail> {
  const { parsed, state } = await parseArrival(deps, received, patienceMs);
  const checked = await authenticateArrival(deps, received, parsed);
  const { authentication, rejectedBy } = checked ?? { authentication: null, rejectedBy: null };
  const { raw, envelopeFrom, remoteAddress, helo } = received;
  const hash = sha256(raw);
  return { raw, hash, envelopeFrom, remoteAddress, helo, parsed, state, authentication, rejectedBy, at };
}

async function parseArrival(
  deps: Deps,
  { raw, envelopeFrom, owner }: ReceivedMail,
  patienceMs: number,
): Promise<{ parsed: ParsedMail; state: ParseState }> {
  const result = await deps.parser.parse(raw, { envelopeFrom }, owner, patienceMs);
  if (!('failed' in result)) return { parsed: result, state: 'parsed' };
  const { failed, detail, isFinal, mail } = result;
  deps.log.warn({ failed, detail, isFinal }, 'only the header of an email was parsed');
  return { parsed: mail, state: isFinal ? 'unparsable' : 'unparsed' };
}

async function authenticateArrival(deps: Deps, received: ReceivedMail, parsed: ParsedMail) {
  const { raw, remoteAddress, helo, envelopeFrom, owner } = received;
  if (remoteAddress === null) return null;
  const from = parsed.from?.address ?? null;
  return deps.authenticator.authenticate({ raw, remoteAddress, helo, envelopeFrom, from, owner });
}

const participantsMax = 100;
/** The fields that name a message as one without its text and files. */
const unparsedFields = ['body_text', 'attachments'];

/** The inbox that takes a mail, its recipients there, and the id of the message. */
interface Target {
  inbox: Pick<InboxAddress, 'workspaceId' | 'inboxId'>;
  given: string[];
  messageId: string;
  /** The `traceparent` of the span that took the mail. */
  traceparent?: string | null | undefined;
}

/** Returns the stored form of a mail in one inbox. */
export function inboundRecord(deps: Deps, mail: InboundMail, target: Target): MessageRecord {
  const { parsed, state, remoteAddress, helo, at } = mail;
  const message = buildMessage(deps, mail, target);
  // The original has the others. The rows of a thousand files would take time from the mail of others.
  const files = parsed.attachments.slice(0, limits.inboundAttachmentsMax);
  const attachments = files.map((file, position) => createAttachmentRow(file, position, message));
  const storageBytes = attachments.reduce((sum, file) => sum + file.size_bytes, 0);
  return {
    message,
    ...namedThreadIds(deps, mail, { message, target }),
    threadId: null,
    newThreadId: newId('thr', at),
    participants: collectParticipants(parsed, message.from_addr),
    recipients: [],
    attachments,
    usage: storageBytes > 0 ? [{ kind: 'storage_bytes', amount: storageBytes }] : [],
    events: [
      { id: newId('evt', at), event: 'message.received', extra: {} },
      // A caller that waits for the rest of a mail that has none is told at once.
      ...(state === 'unparsable'
        ? [{ id: newId('evt', at), event: 'message.updated' as const, extra: { changed: [] } }]
        : []),
    ],
    ...(state === 'unparsed' && { unparsed: { remoteAddress, helo } }),
    fingerprint: {
      // The envelope sender counts, too: the same bytes from another sender are another mail.
      hash: sha256(Buffer.concat([mail.hash, Buffer.from(mail.envelopeFrom)])),
      expiresAt: deps.timeScale.after(at, limits.redeliveryWindowMs),
    },
  };
}

/** Returns the ids by which a mail finds its thread, and is found by others. */
function namedThreadIds(
  deps: Deps,
  { parsed, envelopeFrom }: InboundMail,
  { message, target }: { message: NewMessage; target: Target },
): Pick<MessageRecord, 'ownIds' | 'namedIds'> {
  const people = [parsed.from, parsed.sender, ...parsed.replyTo, ...parsed.to, ...parsed.cc];
  const addresses = new Set([
    envelopeFrom.toLowerCase(),
    ...target.given.map((given) => given.toLowerCase()),
    ...people.flatMap((mailbox) => (mailbox ? [mailbox.address] : [])),
  ]);
  const header = message.message_id_header;
  const own = isThreadId(header, addresses) ? header : madeId(deps, target.messageId);
  const named = [...parsed.inReplyTo, ...parsed.references.toReversed()].filter((id) =>
    isThreadId(id, addresses),
  );
  if (parsed.threadIndex === null) return { ownIds: [own], namedIds: named };
  const conversation = conversationId(parsed.threadIndex);
  return named.length === 0 && isAnswer(parsed.threadIndex)
    ? { ownIds: [own], namedIds: [conversation] }
    : { ownIds: [own, conversation], namedIds: named };
}

/** A mail without a Message-ID gets one that nobody can guess, so that every message has one. */
function madeId(deps: Deps, messageId: string): string {
  return `<${messageId}@${sharedDomain(deps).name}>`;
}

/** Returns the record of a mail whose texts the database refuses. The original has the rest. */
export function withoutTexts(record: MessageRecord): MessageRecord {
  return {
    ...record,
    message: {
      ...record.message,
      from_name: null,
      to_addrs: [],
      cc_addrs: [],
      reply_to_addrs: [],
      subject: '',
      body_text: null,
      body_html: null,
      extracted_text: null,
      snippet: '',
    },
    participants: [],
    attachments: [],
    usage: [],
  };
}

function buildMessage(
  deps: Deps,
  { raw, envelopeFrom, parsed, state, authentication, at }: InboundMail,
  target: Target,
): NewMessage {
  return {
    workspace_id: target.inbox.workspaceId,
    id: target.messageId,
    inbox_id: target.inbox.inboxId,
    direction: 'inbound',
    from_addr: parsed.from?.address ?? envelopeFrom,
    from_name: parsed.from?.name ?? null,
    to_addrs: parsed.to.map((mailbox) => mailbox.address),
    cc_addrs: parsed.cc.map((mailbox) => mailbox.address),
    bcc_addrs: [],
    reply_to_addrs: parsed.replyTo.map((mailbox) => mailbox.address),
    envelope_from: envelopeFrom || null,
    envelope_to: target.given,
    subject: parsed.subject,
    body_text: parsed.text,
    body_html: parsed.html,
    extracted_text: parsed.extractedText,
    snippet: makeSnippet(parsed.extractedText ?? parsed.text),
    delivery_status: 'received',
    message_id_header: parsed.messageId ?? madeId(deps, target.messageId),
    in_reply_to: parsed.inReplyTo[0] ?? null,
    reference_ids: parsed.references,
    thread_index: parsed.threadIndex,
    provider_message_id: null,
    client_id: null,
    dropped: null,
    authentication,
    // People write to the From of a message, never to its return path.
    auto_submitted:
      parsed.autoSubmitted || target.given.some((given) => leadsBack(deps, given.toLowerCase())),
    hidden_text: parsed.hasHiddenText,
    has_attachments: parsed.attachments.length > 0,
    size_bytes: raw.length,
    created_at: at,
    actor_id: null,
    writer_id: null,
    request_id: null,
    cut_fields: [
      ...(state === 'parsed' ? [] : unparsedFields),
      ...(parsed.attachments.length > limits.inboundAttachmentsMax ? ['attachments'] : []),
      ...(parsed.isExtractedTextCut ? ['extracted_text'] : []),
    ],
    metadata: {},
    is_read: false,
    ...(target.traceparent && { traceparent: target.traceparent }),
  };
}

/** Returns the participants of a mail in order of appearance. */
function collectParticipants(parsed: ParsedMail, from: string): string[] {
  const people = [from, ...[...parsed.to, ...parsed.cc].map((mailbox) => mailbox.address)];
  return [...new Set(people)].filter((address) => address !== '').slice(0, participantsMax);
}

/** Returns whether a message has only the header of its mail, because the rest was not parsed. */
export function isUnparsed({ cut_fields }: Pick<NewMessage, 'cut_fields'>): boolean {
  return unparsedFields.every((field) => cut_fields.includes(field));
}
