import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../db/database-errors.ts';
import type { Deps } from '../deps.ts';
import { readInbound } from './read-inbound.ts';
import type { Receipt } from './receive-mail.ts';
import type { SpooledMail } from './spool-mail.ts';
import { type ReadMail, storeSpooled, storeSpooledAlone } from './store-spooled.ts';

const mailsMax = 5_000;
const bytesMax = 67_108_864;
const readAtOnceMax = 64;
const batchMailsMax = 64;
const retryMs = 1_000;
const checkMs = 5;

/** Hears what became of a mail. */
export type OnStored = (mail: SpooledMail, receipts: Receipt[]) => void;

/**
 * Acknowledged mail on its way to becoming messages: read side by side and stored in batches, in the order of their reading. One
 * batch is written at a time: two at once are each half as large, and cost the database a third more for each mail.
 */
export class Backlog {
  readonly #deps: Deps;
  readonly #onStored: OnStored;
  readonly #underway = new Map<string, SpooledMail>();
  readonly #unread: SpooledMail[] = [];
  readonly #read: ReadMail[] = [];
  #bytes = 0;
  #reading = 0;
  #storing = false;
  #closed = false;

  constructor(deps: Deps, onStored: OnStored) {
    this.#deps = deps;
    this.#onStored = onStored;
  }

  /** How many mails are on their way. */
  get size(): number {
    return this.#underway.size;
  }

  has(id: string): boolean {
    return this.#underway.has(id);
  }

  /** Takes a mail that is in the spool; one that is on its way already is left alone. */
  add(mail: SpooledMail): void {
    if (this.#closed || this.has(mail.envelope.id)) return;
    this.#underway.set(mail.envelope.id, mail);
    this.#bytes += mail.raw.length;
    this.#unread.push(mail);
    this.#work();
  }

  /** Resolves once there is room for more, which makes senders wait who are faster than this server for long. */
  async room(): Promise<void> {
    while (!this.#closed && (this.size >= mailsMax || this.#bytes >= bytesMax)) await sleep(checkMs);
  }

  /** Goes on for at most `graceMs`; the rest stays in the spool for the next start. */
  async close(graceMs: number): Promise<void> {
    const until = performance.now() + graceMs;
    while (this.size > 0 && performance.now() < until) await sleep(checkMs);
    this.#closed = true;
    while (this.#storing) await sleep(checkMs);
  }

  #work(): void {
    while (!this.#closed && this.#reading < readAtOnceMax) {
      const mail = this.#unread.shift();
      if (!mail) break;
      void this.#readOne(mail);
    }
    if (!this.#closed && !this.#storing && this.#read.length > 0)
      void this.#storeBatch(this.#read.splice(0, batchMailsMax));
  }

  async #readOne(spooled: SpooledMail): Promise<void> {
    this.#reading += 1;
    const { envelope, raw } = spooled;
    const { envelope_from: envelopeFrom, helo, remote_address: remoteAddress, at } = envelope;
    try {
      const mail = await readInbound(this.#deps, { raw, envelopeFrom, helo, remoteAddress }, at);
      this.#read.push({ envelope, mail });
    } catch (error) {
      this.#deps.log.error({ err: error, messageId: envelope.id }, 'an acknowledged mail was not read yet');
      await sleep(retryMs);
      this.#unread.push(spooled);
    }
    this.#reading -= 1;
    this.#work();
  }

  async #storeBatch(batch: ReadMail[]): Promise<void> {
    this.#storing = true;
    try {
      const receipts = await storeSpooled(this.#deps, batch);
      for (const { envelope } of batch) this.#finish(envelope.id, receipts.get(envelope.id) ?? []);
    } catch (error) {
      this.#deps.log.warn({ err: error, mails: batch.length }, 'acknowledged mail was not stored yet');
      // Unless the database is away, one of the mails spoils the batch.
      const failed = isUnavailable(error) ? batch : await this.#storeEach(batch);
      if (failed.length > 0) await sleep(retryMs);
      this.#read.push(...failed);
    }
    this.#storing = false;
    this.#work();
  }

  /** Stores each mail by itself, and answers those that could not be. */
  async #storeEach(batch: ReadMail[]): Promise<ReadMail[]> {
    const failed: ReadMail[] = [];
    for (const mail of batch) {
      const { id } = mail.envelope;
      try {
        this.#finish(id, await storeSpooledAlone(this.#deps, mail));
      } catch (error) {
        this.#deps.log.error({ err: error, messageId: id }, 'an acknowledged mail was not stored yet');
        failed.push(mail);
      }
    }
    return failed;
  }

  #finish(id: string, receipts: Receipt[]): void {
    const mail = this.#underway.get(id);
    if (!mail) return;
    this.#underway.delete(id);
    this.#bytes -= mail.raw.length;
    this.#onStored(mail, receipts);
  }
}
