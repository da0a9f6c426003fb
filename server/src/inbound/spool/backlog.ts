import { setTimeout as sleep } from 'node:timers/promises';
import { isTooMuchAtOnce, isUnavailable } from '../../db/database-errors.ts';
import type { Deps } from '../../deps.ts';
import { restWhileBusy } from '../../lib/concurrency/loop-idle.ts';
import { createSharedPause } from '../../lib/concurrency/shared-pause.ts';
import { TurnQueue } from '../../lib/concurrency/turn-queue.ts';
import { readInbound } from '../read-inbound.ts';
import type { Receipt } from '../receive-mail.ts';
import { FilingPace, overdueMs } from './filing-pace.ts';
import { filesOf, nextBatch, type StorableMail } from './next-batch.ts';
import { ReadRoom } from './read-room.ts';
import { removeFromSpool, type SpooledEnvelope } from './spool-mail.ts';
import { createSpooledReader, type ReadSpooled } from './spooled-bytes.ts';
import { storeSpooled, storeSpooledAlone } from './store-spooled.ts';
import { ownerOf, turnsOf, type WaitingMail, WaitingMails } from './waiting-mails.ts';

/** Filed in less than the time after which another process takes a mail for stranded. */
const mailsMax = 30_000;
const oldestMsMax = 20_000;
const readAtOnceMax = 128;
const readAheadMax = 320;
/**
 * When no mail comes or some has waited too long, one is under way while another is made and a third waits for the disk, which the
 * embedded database never does. Otherwise there is one.
 */
const batchesAtOnce = { postgres: { quiet: 3, busy: 1 }, embedded: { quiet: 1, busy: 1 } };
/** Mails wait so long for others, since many together cost half as much for each; so many wait no longer. */
const gatherMs = 25;
const gatherMails = 32;
/** How long the embedded database is left to others after a batch. */
const restOfBatch = { share: 4, msMax: 500 };
const retryMs = 1_000;
const checkMs = 5;

/** Is told the outcomes of a mail. */
export type OnStored = (envelope: SpooledEnvelope, receipts: Receipt[]) => void;

/**
 * Acknowledged mail on its way to becoming messages: read side by side and stored in batches, in the order of their reading.
 */
export class Backlog {
  readonly #deps: Deps;
  readonly #onStored: OnStored;
  readonly #readSpooled: ReadSpooled;
  readonly #pace = new FilingPace();
  readonly #pause = createSharedPause(checkMs);
  readonly #underway = new Map<string, WaitingMail>();
  readonly #unread = new WaitingMails();
  readonly #read = new TurnQueue<StorableMail>();
  readonly #readRoom = new ReadRoom();
  #reading = 0;
  #storing = 0;
  #databaseAway = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(deps: Deps, onStored: OnStored) {
    this.#deps = deps;
    this.#onStored = onStored;
    this.#readSpooled = createSpooledReader(deps);
  }

  /** How many mails are on their way. */
  get size(): number {
    return this.#underway.size;
  }

  /** Whether mail is on its way, or was just now: who comes next had better go the same way. */
  get busy(): boolean {
    return this.size > 0 || !this.#pace.quiet;
  }

  has(id: string): boolean {
    return this.#underway.has(id);
  }

  /** Takes a mail that is in the spool, with its bytes where they are at hand; one that is on its way already is left alone. */
  add(envelope: SpooledEnvelope, bytes: Buffer | null): void {
    if (this.#closed || this.has(envelope.id)) return;
    this.#underway.set(envelope.id, this.#unread.add(envelope, bytes));
    // What another process left comes in no haste, and nobody waits for an answer to it.
    if (bytes) this.#pace.noteArrival();
    if (this.#unread.length >= gatherMails) this.#work();
    else this.#workSoon();
  }

  /**
   * Resolves once there is room for more, and for more mail of an inbox where one is named: senders who are faster than this server
   * for long wait, and those who write to others do not. While the database is away there is: they are to hear that, and not to
   * wait for it.
   */
  async room(owner?: string): Promise<void> {
    while (!this.#closed && !this.#databaseAway && this.#isFull(owner)) await this.#pause();
  }

  /** Goes on for at most `graceMs`; the rest stays in the spool for the next start. */
  async close(graceMs: number): Promise<void> {
    const until = performance.now() + graceMs;
    while (this.size > 0 && performance.now() < until) await sleep(checkMs);
    this.#closed = true;
    while (this.#storing > 0) await sleep(checkMs);
  }

  #isFull(owner: string | undefined): boolean {
    if (this.size >= mailsMax) return true;
    return owner !== undefined && this.#unread.oldestMsOf(owner) > oldestMsMax;
  }

  #workSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#work();
    }, gatherMs);
  }

  #work(): void {
    if (this.#closed || this.#pace.resting) return;
    if (this.#unread.length >= gatherMails || this.#unread.oldestMs >= gatherMs)
      for (let next = this.#nextToRead(); next; next = this.#nextToRead()) void this.#readOne(next);
    while (this.#mayStore()) void this.#storeBatch(nextBatch(this.#read, this.#deps.database.kind));
    if (this.#unread.length + this.#read.length > 0) this.#workSoon();
  }

  #mayStore(): boolean {
    const first = this.#read.peek();
    const atOnce = batchesAtOnce[this.#deps.database.kind];
    if (
      !first ||
      this.#storing >= atOnce[this.#pace.quiet || this.#unread.oldestMs > overdueMs ? 'quiet' : 'busy']
    )
      return false;
    // One mail whose sender's DNS is slow holds up the others of its batch for a moment only.
    const isBatch = this.#reading === 0 || this.#read.length >= gatherMails;
    return isBatch || performance.now() - first.readAt >= gatherMs;
  }

  #nextToRead(): WaitingMail | undefined {
    if (this.#reading >= readAtOnceMax || this.#reading + this.#read.length >= readAheadMax) return undefined;
    return this.#unread.shift((owner) => this.#readRoom.has(owner));
  }

  async #readOne(waiting: WaitingMail): Promise<void> {
    const { envelope } = waiting;
    this.#reading += 1;
    this.#readRoom.enter(envelope);
    this.#pace.noteWork();
    try {
      const raw = waiting.raw ?? (await this.#readSpooled(envelope));
      const mail = raw && (await this.#parse(envelope, raw));
      if (mail) this.#wait({ envelope, mail, readAt: performance.now() });
      else await this.#giveUp(envelope);
    } catch (error) {
      this.#deps.log.error({ err: error, messageId: envelope.id }, 'an acknowledged mail was not read yet');
      await sleep(retryMs);
      this.#readRoom.leave(envelope);
      this.#underway.set(envelope.id, this.#unread.putBack(waiting));
    }
    this.#reading -= 1;
    this.#work();
  }

  #wait(mail: StorableMail): void {
    const { envelope } = mail;
    this.#read.push(ownerOf(envelope), mail, turnsOf(envelope, filesOf(mail)));
  }

  #parse(envelope: SpooledEnvelope, raw: Buffer): Promise<StorableMail['mail']> {
    const { envelope_from: envelopeFrom, helo, remote_address: remoteAddress, at } = envelope;
    const owner = ownerOf(envelope);
    return readInbound(this.#deps, { raw, envelopeFrom, helo, remoteAddress, owner }, at);
  }

  /** The bytes go with their inbox, and without them there is nothing left to do. */
  async #giveUp(envelope: SpooledEnvelope): Promise<void> {
    await removeFromSpool(this.#deps, envelope.id);
    this.#deps.log.warn({ messageId: envelope.id }, 'a mail in the spool has no original');
    this.#finish(envelope, goneReceipts(envelope));
  }

  async #storeBatch(batch: StorableMail[]): Promise<void> {
    this.#storing += 1;
    this.#pace.noteWork();
    const begun = performance.now();
    try {
      const receipts = await storeSpooled(this.#deps, batch);
      this.#databaseAway = false;
      for (const { envelope } of batch) this.#finish(envelope, receipts.get(envelope.id) ?? []);
      this.#pace.endRound(this.#unread.oldestMs, () => this.#work());
    } catch (error) {
      this.#deps.log.warn({ err: error, mails: batch.length }, 'acknowledged mail was not stored yet');
      this.#databaseAway = isUnavailable(error) && !isTooMuchAtOnce(error);
      // Unless the database is away, one of the mails spoils the batch.
      const failed = this.#databaseAway ? batch : await this.#storeEach(batch);
      if (failed.length > 0) await sleep(retryMs);
      for (const mail of failed) this.#wait(mail);
    }
    // The embedded database is left to others, whose requests take several queries each, until they have enough of it.
    if (this.#deps.database.kind === 'embedded') await restWhileBusy(performance.now() - begun, restOfBatch);
    this.#storing -= 1;
    this.#work();
  }

  /** Stores each mail by itself, and answers those that could not be. */
  async #storeEach(batch: StorableMail[]): Promise<StorableMail[]> {
    const failed: StorableMail[] = [];
    for (const mail of batch) {
      const { envelope } = mail;
      try {
        this.#finish(envelope, await storeSpooledAlone(this.#deps, mail));
      } catch (error) {
        this.#deps.log.error(
          { err: error, messageId: envelope.id },
          'an acknowledged mail was not stored yet',
        );
        failed.push(mail);
      }
    }
    return failed;
  }

  #finish(envelope: SpooledEnvelope, receipts: Receipt[]): void {
    const mail = this.#underway.get(envelope.id);
    if (!mail) return;
    this.#underway.delete(envelope.id);
    this.#unread.letGo(mail);
    this.#readRoom.leave(envelope);
    this.#onStored(envelope, receipts);
  }
}

const goneReceipts = ({ targets }: SpooledEnvelope): Receipt[] =>
  targets.map(({ workspace_id: workspaceId, inbox_id: inboxId }) => ({
    inbox: { workspaceId, inboxId },
    messageId: null,
    outcome: 'inbox_gone',
  }));
