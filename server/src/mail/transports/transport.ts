/*
 * The interface by which composed mail leaves this server. A job is one message to one recipient, because the recipient is the unit of
 * delivery: it has its own return path, outcome and retries.
 */

/** The outcome of one attempt to hand a message to the next hop for one recipient. */
export type Outcome = Accepted | Rejected | Deferred | Unconfirmed | Complained;

/** The next hop has taken responsibility for the message (RFC 5321, section 4.2.5). */
export interface Accepted {
  kind: 'accepted';
  /** The id under which the next hop files the message; null if its reply has none. */
  providerMessageId: string | null;
  detail: string | null;
  /** The Message-IDs under which the recipient may see the message, if the next hop replaces ours. */
  messageIds?: string[];
  /** True: the recipient has the message (delivered). False: a relay will pass it on (sent). */
  final: boolean;
  /** The sandbox keeps the message instead of sending it. */
  isSandboxed?: true;
  /** The time at which the recipient will complain, if known, as for a simulated one. */
  complaintAfterMs?: number;
}

/** Refused permanently: another attempt would be refused, too. */
export interface Rejected {
  kind: 'rejected';
  /** `recipient`: about this mailbox, a hard bounce. `message`: about the sender or the message, which says nothing about the mailbox. */
  scope: 'recipient' | 'message';
  code: number | null;
  enhanced: string | null;
  detail: string;
  /** The mailbox exists but accepts no mail at present: a soft bounce. */
  isSoft?: true;
}

/** Not accepted, and certainly not delivered: it can be retried later. */
export interface Deferred {
  kind: 'deferred';
  /** `recipient`: the next hop asked to wait with this mailbox. `relay`: it is unavailable, busy, or refuses to work for us. */
  cause: 'recipient' | 'relay';
  code: number | null;
  enhanced: string | null;
  detail: string;
  /** The time of the next attempt, if known; otherwise the waits grow. */
  retryAfterMs?: number;
  /** No session could be opened, so that the next hop does not work for any recipient now. */
  hasNoSession?: true;
}

/** The whole message may have been sent, but no reply came: it must not be tried again. */
export interface Unconfirmed {
  kind: 'unconfirmed';
  detail: string;
}

/** The recipient has the message and called it spam. */
export interface Complained {
  kind: 'complained';
  /** The type of RFC 5965; null if the report has none. */
  feedbackType: string | null;
}

/** One message for one recipient. */
export interface TransportJob {
  /** The message as composed, with CRLF line ends. */
  raw: Buffer;
  /** The sender as an inbox of this server sees it; empty for the null sender of RFC 5321, section 4.5.5. */
  envelopeFrom: string;
  /** The envelope sender for other servers, to which they report; empty for the null sender. */
  returnPath: string;
  recipient: string;
  /** The names of the message for a provider's records, and the place of the recipient among those of the message. */
  names?: { workspaceId: string; messageId: string; position: number };
  /** Counts from 1. */
  attempt: number;
  /**
   * Awaited after the peer has agreed to take the message (354) and before its first byte is sent. Until it has resolved, the message
   * cannot be anywhere else. If it rejects, nothing is sent, and `submit` rejects with the same error.
   */
  onHandover(): Promise<void>;
  /** Called with the server that a session is open with, before the message is offered to it. */
  onServer?(server: { host: string; port: number }): void;
  /** Ends the attempt early. The outcome still says what may have happened. */
  signal?: AbortSignal;
}

/** The result of a check whether a transport could send now. */
export interface TransportCheck {
  ok: boolean;
  detail: string;
}

/** A transport for composed mail: sandbox, relay or provider. */
export interface Transport {
  readonly name: string;
  /** Tries once to hand over one message for one recipient. Failures of a peer are outcomes, never exceptions. */
  submit(job: TransportJob): Promise<Outcome>;
  /**
   * Accepts no more jobs, lets those in flight finish for `graceMs` (a few seconds by default), and then cuts them. Resolves once no socket
   * is left.
   */
  close(graceMs?: number): Promise<void>;
  check(): Promise<TransportCheck>;
}

/** Returns a deferral without a reply from the next hop: nothing was handed over. */
export function deferredByRelay(detail: string): Deferred {
  return { kind: 'deferred', cause: 'relay', code: null, enhanced: null, detail };
}
