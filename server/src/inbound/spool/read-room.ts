import { ownerOf } from './ingest-queue.ts';
import type { SpooledEnvelope } from './spool-mail.ts';

/** The bytes of acknowledged mail that are read ahead of the database, and the share of the free part that one inbox may take. */
export const readAheadLimits = { bytesMax: 33_554_432, inboxShare: 0.5 };

/** The memory of mails being read or waiting to be stored. It keeps large mails of one inbox from delaying those of others. */
export class ReadRoom {
  readonly #byOwner = new Map<string, number>();
  #bytes = 0;

  /** Returns whether one more mail of an inbox may be read. */
  has(owner: string): boolean {
    const { bytesMax, inboxShare } = readAheadLimits;
    const own = this.#byOwner.get(owner) ?? 0;
    return this.#bytes < bytesMax && own <= inboxShare * (bytesMax - this.#bytes + own);
  }

  enter(envelope: SpooledEnvelope): void {
    this.#change(ownerOf(envelope), envelope.size_bytes);
  }

  leave(envelope: SpooledEnvelope): void {
    this.#change(ownerOf(envelope), -envelope.size_bytes);
  }

  #change(owner: string, by: number): void {
    this.#bytes += by;
    const own = (this.#byOwner.get(owner) ?? 0) + by;
    if (own > 0) this.#byOwner.set(owner, own);
    else this.#byOwner.delete(owner);
  }
}
