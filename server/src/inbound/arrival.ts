import type { MailTarget } from '../delivery/ingest-report.ts';
import type { Deps } from '../deps.ts';
import type { ReportedDomain } from '../domains/reports/find-reported-domain.ts';
import { FilesFull } from '../files/files.ts';
import type { InboxAddress } from '../inboxes/find-inbox.ts';
import type { EnvelopeRecipient, SmtpReply, SmtpSession } from '../mail/smtp/smtp-callbacks.ts';
import type { SenderVerdict } from '../rules/decide-rule.ts';

/** The destination of mail to an accepted recipient: an inbox, or a domain's address for DMARC reports. */
export type MailPlace = MailTarget | ReportedDomain;

/** An accepted recipient: the address as given, and the verdict of its rules. `unverified` takes the mail unless it fails DMARC. */
export interface ArrivedRecipient {
  given: string;
  inbox: MailTarget;
  verdict: SenderVerdict;
}

/** A recipient whose mail is stored, refused or deferred. */
export interface SettledRecipient {
  given: string;
  owner: { workspaceId: string; inboxId?: string };
  messageId: string | null;
  /** Null if the reply says it. */
  verdict: 'accepted' | 'repeated' | 'refused' | 'deferred' | null;
  /** Null if it is the reply to the whole mail. */
  reply: SmtpReply | null;
}

/** A mail on its way in. The steps of `receive.ts` settle its recipients. */
export interface Arrival {
  raw: Buffer;
  envelopeFrom: string;
  /** Null for mail that never left this server. */
  client: Pick<SmtpSession, 'id' | 'remoteAddress' | 'helo' | 'traceparent'> | null;
  /** The recipients that are addresses for DMARC reports. */
  reported: { given: string; domain: ReportedDomain }[];
  /** The inboxes that no step has settled yet. */
  recipients: ArrivedRecipient[];
  settled: SettledRecipient[];
  /** The reply as of now. */
  reply: SmtpReply;
}

const localError: SmtpReply = {
  code: 451,
  enhanced: '4.3.0',
  text: 'Local error in processing, try again later',
};
const storageFull: SmtpReply = {
  code: 452,
  enhanced: '4.3.1',
  text: 'Insufficient system storage, try again later',
};

/** Returns a mail to accepted recipients, none of which has a verdict yet. */
export function newArrival({
  raw,
  envelopeFrom,
  client,
  recipients,
}: Pick<Arrival, 'raw' | 'envelopeFrom' | 'client'> & {
  recipients: EnvelopeRecipient<MailPlace>[];
}): Arrival {
  const arrival: Arrival = {
    raw,
    envelopeFrom,
    client,
    reported: [],
    recipients: [],
    settled: [],
    reply: localError,
  };
  for (const { address: given, tag } of recipients)
    if ('inboxId' in tag) arrival.recipients.push({ given, inbox: tag, verdict: 'take' });
    else arrival.reported.push({ given, domain: tag });
  return arrival;
}

/** Replies to the mail. A refusal of its other recipients does not undo that a step has taken it for some. */
export function answer(arrival: Arrival, reply: SmtpReply): void {
  if (arrival.reply.code >= 400 || reply.code < 500) arrival.reply = reply;
}

/** Settles recipients with a reply, which is the one to the mail unless a later step has another. */
export function settle(
  arrival: Arrival,
  recipients: ArrivedRecipient[],
  reply: SmtpReply,
  outcomes?: (recipient: ArrivedRecipient) => Pick<SettledRecipient, 'messageId' | 'verdict'>,
): void {
  if (recipients.length === 0) return;
  for (const recipient of recipients) {
    const { given, inbox } = recipient;
    const outcome = outcomes?.(recipient) ?? { messageId: null, verdict: null };
    arrival.settled.push({ given, owner: inbox, reply, ...outcome });
  }
  arrival.recipients = arrival.recipients.filter((recipient) => !recipients.includes(recipient));
  answer(arrival, reply);
}

/** Settles the addresses for DMARC reports with a reply. */
export function settleReported(arrival: Arrival, reply: SmtpReply): void {
  for (const { given, domain } of arrival.reported)
    arrival.settled.push({
      given,
      owner: { workspaceId: domain.workspaceId },
      messageId: null,
      verdict: null,
      reply,
    });
  if (arrival.reported.length > 0) answer(arrival, reply);
}

/** Settles the recipients that are left after a failure of this server, which is logged: the sender keeps the mail and tries again. */
export function defer(deps: Pick<Deps, 'log'>, arrival: Arrival, error: unknown): void {
  logFailure(deps, arrival, error);
  settle(arrival, arrival.recipients, failureReply(error));
}

/** Logs why a mail was not taken. */
export function logFailure(
  { log }: Pick<Deps, 'log'>,
  { client }: Pick<Arrival, 'client'>,
  error: unknown,
): void {
  log.error({ err: error, remoteAddress: client?.remoteAddress ?? null }, 'an email was not taken');
}

/** Returns the reply to a failure of this server. */
export function failureReply(error: unknown): SmtpReply {
  const isFull = error instanceof FilesFull || (error as { code?: string }).code === '53100';
  return isFull ? storageFull : localError;
}

/** The outcome of a mail in one inbox. */
export interface Receipt {
  inbox: Pick<InboxAddress, 'workspaceId' | 'inboxId'>;
  messageId: string | null;
  outcome: 'stored' | 'repeated' | 'inbox_gone';
}

/** The reply if every inbox of a mail was deleted while it arrived. */
export const inboxGone: SmtpReply = { code: 550, enhanced: '5.1.1', text: 'No such user here' };

/** The reply if the sender is blocked, by a recipient or by all recipients of a mail. */
export const senderBlocked: SmtpReply = {
  code: 550,
  enhanced: '5.7.1',
  text: 'Recipient does not accept mail from this sender',
};

/** An inbox of a mail, with the recipients, as given, that lead there. */
export interface ArrivedInbox {
  inbox: InboxAddress;
  given: string[];
}

/** Returns the inboxes of a mail. An inbox named twice, by two plus tags, gets one copy. */
export function groupByInbox(recipients: ArrivedRecipient[]): ArrivedInbox[] {
  const inboxes = new Map<string, ArrivedInbox>();
  for (const { inbox, given } of recipients) {
    const before = inboxes.get(inbox.inboxId) ?? { inbox, given: [] };
    before.given.push(given);
    inboxes.set(inbox.inboxId, before);
  }
  return [...inboxes.values()];
}
