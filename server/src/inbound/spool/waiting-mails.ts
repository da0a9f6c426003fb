import Denque from 'denque';
import { TurnQueue } from '../../lib/concurrency/turn-queue.ts';
import type { SpooledEnvelope } from './spool-mail.ts';

/** How much of what is on its way is kept in memory, and how much where that is small mail. */
const heldBytesMax = 33_554_432;
const heldSmallBytesMax = 67_108_864;
const smallBytesMax = 65_536;

/** An acknowledged mail that is not a message yet. */
export interface WaitingMail {
  envelope: SpooledEnvelope;
  /** Null where it has to be read from the spool. */
  raw: Buffer | null;
  since: number;
  /** Whether it was taken out to be read. */
  taken: boolean;
}

/** The owner of a mail when inboxes take turns: its first inbox. */
export const ownerOf = ({ targets }: SpooledEnvelope): string => targets[0]?.inbox_id ?? '';

/** This many bytes or files of a mail take as much time as a small mail. */
const bytesPerTurn = 65_536;
const filesPerTurn = 10;

/** The number of turns that a mail takes: its cost, times the inboxes that it is for. */
export const turnsOf = ({ size_bytes, targets }: SpooledEnvelope, files = 0): number =>
  Math.max(1, targets.length) * (1 + size_bytes / bytesPerTurn + files / filesPerTurn);

/** Mails waiting to be read, from each inbox in turn. As many of their bytes are kept as may be in memory. */
export class WaitingMails {
  /** Tens of thousands may wait, which an array would move one by one. */
  readonly #byAge = new Denque<WaitingMail>();
  readonly #queue = new TurnQueue<WaitingMail>();
  #heldBytes = 0;

  get length(): number {
    return this.#queue.length;
  }

  /** How long the oldest has waited, in milliseconds. */
  get oldestMs(): number {
    while (this.#byAge.peekFront()?.taken) this.#byAge.shift();
    const first = this.#byAge.peekFront();
    return first ? performance.now() - first.since : 0;
  }

  /** How long the oldest of one inbox has waited, in milliseconds. */
  oldestMsOf(owner: string): number {
    const first = this.#queue.firstOf(owner);
    return first ? performance.now() - first.since : 0;
  }

  /** Takes a mail in, and its bytes where there is room for them: they count until the mail is let go of. */
  add(envelope: SpooledEnvelope, bytes: Buffer | null): WaitingMail {
    const raw = bytes && this.#mayHold(bytes) ? bytes : null;
    this.#heldBytes += raw?.length ?? 0;
    const mail = { envelope, raw, since: performance.now(), taken: false };
    this.#wait(mail);
    return mail;
  }

  /** The next mail of the inbox whose turn it is, among those that may have one. */
  shift(mayHaveTurn?: (owner: string) => boolean): WaitingMail | undefined {
    const mail = this.#queue.shift(mayHaveTurn);
    if (mail) mail.taken = true;
    return mail;
  }

  /** Puts a mail that was shifted back, last of its inbox, and returns the object that represents it from now on. */
  putBack(mail: WaitingMail): WaitingMail {
    const again = { ...mail, since: performance.now(), taken: false };
    this.#wait(again);
    return again;
  }

  /** Notes that the bytes of a mail are not needed any more. */
  letGo({ raw }: WaitingMail): void {
    this.#heldBytes -= raw?.length ?? 0;
  }

  #wait(mail: WaitingMail): void {
    this.#byAge.push(mail);
    this.#queue.push(ownerOf(mail.envelope), mail, turnsOf(mail.envelope));
  }

  #mayHold({ length }: Buffer): boolean {
    return this.#heldBytes + length <= (length <= smallBytesMax ? heldSmallBytesMax : heldBytesMax);
  }
}
