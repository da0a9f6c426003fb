/*
 * The interface of the SMTP server and its owner. The server knows the protocol and its limits. The owner decides which recipients
 * exist, who is blocked and where a message is kept.
 */
import type { Readable } from 'node:stream';

/** A client's connection. `helo` is null before the client has introduced itself. */
export interface SmtpSession {
  id: string;
  remoteAddress: string;
  helo: string | null;
  tls: boolean;
  /** The `traceparent` of its span; absent if it has no span of its own. */
  traceparent?: string | null;
}

/** A reply on the wire: reply code (RFC 5321), enhanced status code (RFC 3463) and one line of text. */
export interface SmtpReply {
  code: number;
  enhanced: string;
  text: string;
}

/** Whether a recipient is accepted. `tag` is whatever the owner wants to find again with the recipient when the data arrives. */
export type RcptVerdict<Tag = unknown> = { accept: true; tag: Tag } | ({ accept: false } & SmtpReply);

/** A recipient that was taken; `address` as the client wrote it. */
export interface EnvelopeRecipient<Tag = unknown> {
  address: string;
  tag: Tag;
}

/** The envelope of a message. `from` is empty for the null sender of RFC 5321, section 4.5.5. */
export interface SmtpEnvelope<Tag = unknown> {
  from: string;
  recipients: EnvelopeRecipient<Tag>[];
  smtpUtf8: boolean;
}

/** The reason for a refusal by the server itself, without its owner. */
export type RefusalReason =
  | 'connections'
  | 'rate'
  | 'errors'
  | 'commands'
  | 'protocol'
  | 'recipients'
  | 'size'
  | 'loop'
  | 'timeout'
  | 'shutdown'
  | 'failure';

/** A refusal that the server decided, with what was known about the envelope by then. */
export interface SmtpRefusal<Tag = unknown> extends SmtpReply {
  reason: RefusalReason;
  session: SmtpSession;
  envelopeFrom: string | null;
  recipients: string[];
  /** Those of the recipients that were taken before. */
  taken: EnvelopeRecipient<Tag>[];
}

/** The decisions of the owner of an SMTP server. */
export interface SmtpCallbacks<Tag = unknown> {
  /** Decides on one recipient. An exception, or no decision in time, becomes 451 4.3.0. */
  onRcpt(session: SmtpSession, envelopeFrom: string, recipient: string): Promise<RcptVerdict<Tag>>;
  /**
   * Receives a message and returns the reply to it. The stream fails if the message turns out to be too large or in a loop, or if the
   * client disconnects, so nothing must be kept before the stream has ended; the client then gets that failure as the reply, whatever this
   * callback returns. Exceptions become 451 4.3.0, or 452 4.3.1 when storage is full: never a 5xx.
   */
  onData(session: SmtpSession, envelope: SmtpEnvelope<Tag>, stream: Readable): Promise<SmtpReply>;
  /** Called with a refusal by the server itself; must not throw. A client that is refused all the time is reported sparsely. */
  onRefused?(refusal: SmtpRefusal<Tag>): void;
}

/** The part of a logger that the mail server uses. */
export interface SmtpLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
