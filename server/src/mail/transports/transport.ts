/*
 * How composed mail leaves this server. One job is one message to one recipient, because the recipient is the unit of
 * delivery: it has its own return path, outcome and retries.
 */

/** What one attempt to hand a message to the next hop for one recipient came to. */
export type Outcome = Accepted | Rejected | Deferred | Unconfirmed | Complained;

/** The next hop took responsibility for the message (RFC 5321, section 4.2.5). */
export interface Accepted {
  kind: 'accepted';
  /** The id under which the next hop files the message, null where its answer names none. */
  providerMessageId: string | null;
  detail: string | null;
  /** True: the message is in the recipient's hands (delivered). False: a relay will carry it on (sent). */
  final: boolean;
  /** When the recipient will complain, where that is known as of a simulated one. */
  complaintAfterMs?: number;
}

/** Refused for good: trying again would be refused again. */
export interface Rejected {
  kind: 'rejected';
  /** `recipient`: about this mailbox, a hard bounce. `message`: about the sender or what was sent; says nothing of the mailbox. */
  scope: 'recipient' | 'message';
  code: number | null;
  enhanced: string | null;
  detail: string;
  /** The mailbox is there and does not take mail at present: a soft bounce. */
  isSoft?: true;
}

/** Not taken, and certainly not delivered: may be tried again later. */
export interface Deferred {
  kind: 'deferred';
  /** `recipient`: the next hop asked to wait with this mailbox. `relay`: it is away, busy, or refuses to work for us. */
  cause: 'recipient' | 'relay';
  code: number | null;
  enhanced: string | null;
  detail: string;
  /** When to try again, where that is known; otherwise after growing waits. */
  retryAfterMs?: number;
}

/** The whole message may have gone and the answer never came: it must not be tried again. */
export interface Unconfirmed {
  kind: 'unconfirmed';
  detail: string;
}

/** The recipient has the message and called it spam. */
export interface Complained {
  kind: 'complained';
  /** The type of RFC 5965, where the report says one. */
  feedbackType: string | null;
}

/** One message for one recipient. */
export interface TransportJob {
  /** The message as composed, with CRLF line ends. */
  raw: Buffer;
  /** Whom the message is from, as an inbox of this server sees it; empty for the null sender of RFC 5321, section 4.5.5. */
  envelopeFrom: string;
  /** The sender of the envelope for other servers, to whom they report; empty for the null sender. */
  returnPath: string;
  recipient: string;
  /** Counts from 1. */
  attempt: number;
  /**
   * Awaited after the peer agreed to take the message (354) and before its first byte goes out. Only when it has resolved
   * can the message be anywhere else; when it rejects, nothing is sent and `submit` rejects with the same error.
   */
  onHandover(): Promise<void>;
  /** Cuts the attempt short; the outcome still says what may have happened. */
  signal?: AbortSignal;
}

/** The outcome of asking a transport whether it could send now. */
export interface TransportCheck {
  ok: boolean;
  detail: string;
}

/** A way out for composed mail: sandbox, relay or provider. */
export interface Transport {
  readonly name: string;
  /** Tries to hand over one message for one recipient, once. Peers' failures are outcomes, never exceptions. */
  submit(job: TransportJob): Promise<Outcome>;
  /**
   * Takes no more jobs, lets those in flight finish for `graceMs` (a few seconds unless given), then cuts them; resolves when
   * no socket is left.
   */
  close(graceMs?: number): Promise<void>;
  check(): Promise<TransportCheck>;
}

/** A deferral that the next hop did not answer for: nothing was handed over. */
export function deferredByRelay(detail: string): Deferred {
  return { kind: 'deferred', cause: 'relay', code: null, enhanced: null, detail };
}
