import { classifyReply, parseReply, type ReplyStage } from './classify-reply.ts';
import type { HandoverPhase } from './handover-source.ts';
import { deferredByRelay, type Outcome } from './transport.ts';

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
