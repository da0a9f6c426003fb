import Denque from 'denque';
import { FairQueue } from '../../lib/admission/fair-queue.ts';
import type { Release } from '../../lib/admission/slots.ts';
import { keptBytesLimits, turnLimits } from '../limits.ts';
import type { SpooledEnvelope } from './spool-mail.ts';

/** An acknowledged mail that is not a message yet. */
export interface WaitingMail {
  envelope: SpooledEnvelope;
  /** Null if it has to be read from the spool. */
  raw: Buffer | null;
  since: number;
  /** Whether it was taken out to be read. */
  taken: boolean;
  /** Releases its share of the memory for mail that is read ahead; null while the mail waits to be read. */
  release: Release | null;
}

/** Returns the owner of a mail for inboxes that take turns: its first inbox. */
export function firstInbox({ targets }: SpooledEnvelope): string {
  return targets[0]?.inbox_id ?? '';
}

/** Returns the number of turns that a mail takes: its cost, times the inboxes that it is for. */
export function costInTurns({ size_bytes, targets }: SpooledEnvelope, files = 0): number {
  return Math.max(1, targets.length) * (1 + size_bytes / turnLimits.bytes + files / turnLimits.files);
}

/** Mails waiting to be read, from each inbox in turn. Their bytes are kept as far as they fit into memory. */
export class FilingQueue {
  /** A deque, because tens of thousands may wait, and an array would move them one by one. */
  readonly #byAge = new Denque<WaitingMail>();
  readonly #queue = new FairQueue<WaitingMail>();
  #heldBytes = 0;

  get length(): number {
    return this.#queue.length;
  }

  /** The time for which the oldest mail has waited, in milliseconds. */
  get oldestMs(): number {
    while (this.#byAge.peekFront()?.taken) this.#byAge.shift();
    const first = this.#byAge.peekFront();
    return first ? performance.now() - first.since : 0;
  }

  /** The time for which the oldest mail of one inbox has waited, in milliseconds. */
  oldestMsOf(owner: string): number {
    const first = this.#queue.firstOf(owner);
    return first ? performance.now() - first.since : 0;
  }

  /** Adds a mail. Its bytes are kept if there is room for them, and count until the mail is let go. */
  add(envelope: SpooledEnvelope, bytes: Buffer | null): WaitingMail {
    const raw = bytes && this.#mayHold(bytes) ? bytes : null;
    this.#heldBytes += raw?.length ?? 0;
    const mail = { envelope, raw, since: performance.now(), taken: false, release: null };
    this.#wait(mail);
    return mail;
  }

  /** Removes and returns the next mail of the inbox whose turn it is, among the mails that can have a turn. */
  shift(mayHaveTurn?: (owner: string) => boolean): WaitingMail | undefined {
    const mail = this.#queue.shift(mayHaveTurn);
    if (mail) mail.taken = true;
    return mail;
  }

  /** Puts a mail that was shifted back, last of its inbox, and returns the object that represents it from now on. */
  putBack(mail: WaitingMail): WaitingMail {
    const again = { ...mail, since: performance.now(), taken: false, release: null };
    this.#wait(again);
    return again;
  }

  /** Notes that the bytes of a mail are no longer needed. */
  letGo({ raw }: WaitingMail): void {
    this.#heldBytes -= raw?.length ?? 0;
  }

  #wait(mail: WaitingMail): void {
    this.#byAge.push(mail);
    this.#queue.push(firstInbox(mail.envelope), mail, costInTurns(mail.envelope));
  }

  #mayHold({ length }: Buffer): boolean {
    const { all, small, smallBytesMax } = keptBytesLimits;
    return this.#heldBytes + length <= (length <= smallBytesMax ? small : all);
  }
}
