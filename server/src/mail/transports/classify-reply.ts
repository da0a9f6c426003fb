/*
 * Classifies a refusing SMTP reply by RFC 5321 (section 4.2, reply codes) and RFC 3463 (enhanced codes X.subject.detail). The first digit
 * tells a permanent refusal (5) from a temporary one (4). This table tells whom it is about:
 *
 *   greeting, EHLO, STARTTLS, AUTH       relay      with any code: it refuses us, not a message
 *   421 521; 500 502 503 504; 530 534 535 538   relay   it is closing, out of step, or requires us to sign in
 *   "relaying denied" to RCPT            relay      it does not relay for us
 *   4xx to MAIL                          relay      4xx later: recipient, and the mailbox is tried again
 *   5xx with X.1.x X.2.x                 recipient  except 1.7 1.8 (sender's address), 1.9, 2.3 (too long): message
 *   5xx with X.7.x                       message    policy: a blocked sender must not suppress a good address,
 *                                                   unless the text says that the mailbox does not exist
 *   5xx with X.3.4 X.6.x                 message    size, content
 *   5xx with any other code or none      by the text if it is clear; otherwise MAIL and DATA message, RCPT recipient
 *
 * A transaction has one recipient, so a code about a mailbox after DATA is about that recipient.
 */

import type { HandoverPhase } from './handover-source.ts';
import { type Deferred, deferredByRelay, type Outcome, type Rejected } from './transport.ts';

/** The stage of the session at which a reply came: `data` covers both the reply to DATA and the one after the final dot. */
export type ReplyStage = 'session' | 'mail' | 'rcpt' | 'data';

/** One SMTP reply with its lines joined. */
interface PeerReply {
  code: number;
  /** The enhanced status code of RFC 2034, such as `5.1.1`. */
  enhanced: string | null;
  /** Code, enhanced code and text on one line, at most 500 characters. */
  text: string;
}

/** Enough for the longest text, although each line repeats its codes. */
const replyLengthMax = 8_000;
const textLengthMax = 500;
const aboutUsCodes = new Set([421, 500, 502, 503, 504, 521, 530, 534, 535, 538]);

const relayDenied =
  /\b(?:relay(?:ing)? (?:access )?(?:is )?(?:denied|not (?:allowed|permitted))|(?:unable|not permitted|not allowed|refus\w+|do(?:es)? not) to relay|we do not relay)\b/i;
const policyText =
  /\b(?:client host|helo|sender|mail ?from|from address|policy|spam\w*|black ?list\w*|block ?list\w*|blocked|reputation|dmarc|dkim|spf|reverse dns|ptr|content|virus)\b/i;
const unknownMailboxText =
  /\b(?:(?:user|recipient|mailbox|account|address|addressee)(?: is| was)? (?:unknown|not found|does not exist|doesn't exist|not known)|(?:unknown|no such|invalid|nonexistent) (?:\w+ )?(?:user|recipient|mailbox|account|address)|mailbox (?:is )?(?:full|disabled)|over ?quota|quota exceeded)\b/i;

/** Returns the parts of a reply, of which only the beginning is read. Returns null if the text is not a reply. */
export function parseReply(reply: string): PeerReply | null {
  const raw = reply.slice(0, replyLengthMax);
  const code = /^[2-5]\d\d(?=[ -]|\s|$)/.exec(raw)?.[0];
  if (code === undefined) return null;
  const lines = raw.split(/\r?\n/).map((line) => line.replace(/^\d{3}[ -]?/, ''));
  const enhanced = /^[245]\.\d{1,3}\.\d{1,3}(?=\s|$)/.exec(lines[0] ?? '')?.[0] ?? null;
  // Hosts repeat the enhanced code on every line of a reply, and one is enough.
  const words = lines.map((line) =>
    enhanced !== null && line.startsWith(enhanced) ? line.slice(enhanced.length) : line,
  );
  return { code: Number(code), enhanced, text: onOneLine([code, enhanced, ...words].join(' ')) };
}

function onOneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > textLengthMax ? `${line.slice(0, textLengthMax - 1)}…` : line;
}

/** Returns the outcome that a refusing reply means: permanent or temporary, and whom it is about, by the table above. */
export function classifyReply(reply: PeerReply, stage: ReplyStage): Rejected | Deferred {
  const { code, enhanced, text } = reply;
  const facts = { code, enhanced, detail: text };
  if (isAboutUs(reply, stage)) return { kind: 'deferred', cause: 'relay', ...facts };
  if (code < 500) return { kind: 'deferred', cause: 'recipient', ...facts };
  return { kind: 'rejected', scope: findScope(reply, stage), ...facts };
}

function isAboutUs({ code, text }: PeerReply, stage: ReplyStage): boolean {
  if (stage === 'session' || code < 400 || aboutUsCodes.has(code)) return true;
  return stage === 'mail' ? code < 500 : stage === 'rcpt' && relayDenied.test(text);
}

function findScope({ enhanced, text }: PeerReply, stage: ReplyStage): Rejected['scope'] {
  if (stage === 'mail') return 'message';
  // Addresses in the text are not the host's own words.
  const words = text.replace(/<[^>]*>/g, '');
  const saysPolicy = policyText.test(words);
  const saysUnknown = unknownMailboxText.test(words) && !saysPolicy;
  const [, subject, detail = 0] = enhanced?.split('.').map(Number) ?? [];
  if (subject === 7) return stage === 'rcpt' && saysUnknown ? 'recipient' : 'message';
  if (subject === 6 || (subject === 3 && detail === 4)) return 'message';
  if (subject === 1 && detail !== 0) return detail >= 7 && detail <= 9 ? 'message' : 'recipient';
  if (subject === 2) return detail === 3 ? 'message' : 'recipient';
  if (saysPolicy) return 'message';
  return saysUnknown || stage === 'rcpt' ? 'recipient' : 'message';
}

const messageLengthMax = 1_000;

/** Thrown for a session that broke, or a command that was refused. */
export class RelayFailure extends Error {
  override readonly name = 'RelayFailure';
  /** The whole reply as received; null if there was none. */
  readonly reply: string | null;
  /** The command that was replied to, such as `RCPT TO`. */
  readonly command: string;

  constructor(message: string, reply: string | null = null, command = 'CONN') {
    super(message);
    this.reply = reply;
    this.command = command;
  }
}

/** Converts an error of nodemailer's connection. Any other error is returned as the failure of a session. */
export function toFailure(error: unknown): RelayFailure {
  if (error instanceof RelayFailure) return error;
  if (!(error instanceof Error)) return new RelayFailure(String(error));
  const { response, command, code } = error as { response?: unknown; command?: unknown; code?: unknown };
  // The message of nodemailer repeats the reply.
  const text = error.message.slice(0, messageLengthMax).replace(/\s+/g, ' ');
  if (typeof response === 'string' && response !== '')
    return new RelayFailure(text, response, typeof command === 'string' ? command : 'CONN');
  // The SIZE that the peer announced counts as its reply, although the command was never sent (RFC 1870, section 6.1).
  if (code === 'EMESSAGE' && command === 'MAIL FROM')
    return new RelayFailure(text, `552 5.3.4 ${text}`, 'MAIL FROM');
  return new RelayFailure(text);
}

/** Converts an error that ended a TLS handshake. */
export function toTlsFailure(error: unknown): RelayFailure {
  const { message, reply } = toFailure(error);
  return new RelayFailure(message, reply, 'STARTTLS');
}

const stages: Record<string, ReplyStage> = { 'MAIL FROM': 'mail', 'RCPT TO': 'rcpt', DATA: 'data' };

/**
 * Returns the outcome of a failed attempt: the one that a refusing reply means, if there was one. Without a reply, it is `unconfirmed` once
 * the final dot may have been written, and deferred before that.
 */
export function judgeFailure(failure: RelayFailure, phase: HandoverPhase): Outcome {
  const reply = failure.reply === null ? null : parseReply(failure.reply);
  const stage = stages[failure.command] ?? (phase === 'complete' ? 'data' : 'session');
  // A reply that neither accepts nor refuses the message (3xx) leaves its outcome open.
  if (reply !== null && (reply.code >= 400 || phase !== 'complete')) return classifyReply(reply, stage);
  return phase === 'complete'
    ? { kind: 'unconfirmed', detail: failure.message }
    : deferredByRelay(failure.message);
}

/** Returns whether the connection was lost rather than a message refused: there was no reply, or 421. */
export function isLostConnection(failure: RelayFailure): boolean {
  return failure.reply === null || failure.reply.startsWith('421');
}
