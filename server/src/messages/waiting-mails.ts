import Denque from 'denque';
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
}

/** Mails that wait to be read, in their order, with as many of their bytes as may be in memory. */
export class WaitingMails {
  /** Tens of thousands may wait, which an array would move one by one. */
  readonly #queue = new Denque<WaitingMail>();
  #heldBytes = 0;

  get length(): number {
    return this.#queue.length;
  }

  /** How long the first has waited, in milliseconds. */
  get oldestMs(): number {
    const first = this.#queue.peekFront();
    return first ? performance.now() - first.since : 0;
  }

  /** Takes a mail in, and its bytes where there is room for them: they count until the mail is let go of. */
  add(envelope: SpooledEnvelope, bytes: Buffer | null): WaitingMail {
    const raw = bytes && this.#mayHold(bytes) ? bytes : null;
    this.#heldBytes += raw?.length ?? 0;
    const mail = { envelope, raw, since: performance.now() };
    this.#queue.push(mail);
    return mail;
  }

  shift(): WaitingMail | undefined {
    return this.#queue.shift();
  }

  /** Has a mail that was shifted wait again, behind all others. */
  putBack(mail: WaitingMail): void {
    mail.since = performance.now();
    this.#queue.push(mail);
  }

  /** Notes that the bytes of a mail are not needed any more. */
  letGo({ raw }: WaitingMail): void {
    this.#heldBytes -= raw?.length ?? 0;
  }

  #mayHold({ length }: Buffer): boolean {
    return this.#heldBytes + length <= (length <= smallBytesMax ? heldSmallBytesMax : heldBytesMax);
  }
}
