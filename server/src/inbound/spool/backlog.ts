import { setTimeout as sleep } from 'node:timers/promises';
import { isTooMuchAtOnce, isUnavailable } from '../../db/database-errors.ts';
import type { Deps } from '../../deps.ts';
import { FairQueue } from '../../lib/admission/fair-queue.ts';
import { readAheadSlots } from '../../lib/admission/server-limits.ts';
import { Slots } from '../../lib/admission/slots.ts';
import { createSharedPause } from '../../lib/concurrency/wait.ts';
import { readInbound } from '../../parsing/inbound-mail.ts';
import type { Receipt } from '../arrival.ts';
import { backlogLimits, filingPaceLimits } from '../limits.ts';
import { type NoteVerdict, noteFiled } from '../verdicts.ts';
import { FilingPace } from './filing-pace.ts';
import { costInTurns, FilingQueue, firstInbox, type WaitingMail } from './filing-queue.ts';
import {
  createSpooledReader,
  type ReadSpooled,
  removeFromSpool,
  type SpooledEnvelope,
} from './spool-mail.ts';
import {
  countFiles,
  nextBatch,
  type StorableMail,
  storeSpooled,
  storeSpooledAlone,
} from './store-spooled.ts';

const { mailsMax, oldestMsMax, readAtOnceMax, readAheadMax, batchesAtOnce } = backlogLimits;
const { gatherMs, gatherMails, retryMs, checkMs } = backlogLimits;

/**
 * Acknowledged mail on its way to becoming messages. Each is in one of these states; `#underway` has it until the last.
 *
 *   unread    It waits for the turn of its inbox.
 *   reading   It is parsed and authenticated, side by side with others. If that fails, it is unread again.
 *   read      It waits for its batch, in the order of reading, from each inbox in turn.
 *   storing   Its batch is in a transaction. If that fails, each of its mails is stored alone, and read again if that fails, too.
 *   filed     It is a message in each of its inboxes that is still there, and no longer in the spool. Its verdicts are noted.
 */
export class Backlog {
  readonly #deps: Deps;
  readonly #note: NoteVerdict;
  readonly #readSpooled: ReadSpooled;
  readonly #pace = new FilingPace();
  readonly #pause = createSharedPause(checkMs);
  readonly #underway = new Map<string, WaitingMail>();
  readonly #unread = new FilingQueue();
  readonly #read = new FairQueue<StorableMail>();
  /** The bytes of mails that are read or wait to be stored: large mails of one inbox do not delay those of others. */
  readonly #readAhead = new Slots(readAheadSlots);
  #lastArrival = Number.NEGATIVE_INFINITY;
  #reading = 0;
  #storing = 0;
  #databaseAway = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(deps: Deps, note: NoteVerdict) {
    this.#deps = deps;
    this.#note = note;
    this.#readSpooled = createSpooledReader(deps);
  }

  /** The number of mails on their way. */
  get size(): number {
    return this.#underway.size;
  }

  /** Whether mail is being filed or arrived a moment ago. The next mail should take the spool, too. */
  get busy(): boolean {
    return this.size > 0 || !this.#isQuiet;
  }

  /** Whether no mail arrived lately. */
  get #isQuiet(): boolean {
    return performance.now() - this.#lastArrival > filingPaceLimits.quietMs;
  }

  has(id: string): boolean {
    return this.#underway.has(id);
  }

  /** Adds a mail of the spool, with its bytes if they are in memory. A mail that was added before is left alone. */
  add(envelope: SpooledEnvelope, bytes: Buffer | null): void {
    if (this.#closed || this.has(envelope.id)) return;
    this.#underway.set(envelope.id, this.#unread.add(envelope, bytes));
    // Mail that another process left is not urgent, because its sender already has a reply.
    if (bytes) this.#lastArrival = performance.now();
    if (this.#unread.length >= gatherMails) this.#work();
    else this.#workSoon();
  }

  /**
   * Resolves once there is room for another mail, and for another mail of the named inbox. Senders to an inbox with too much waiting mail
   * wait; senders to other inboxes do not. While the database is unavailable, this resolves at once, so that senders get an error instead
   * of waiting.
   */
  async room(owner?: string): Promise<void> {
    while (!this.#closed && !this.#databaseAway && this.#isFull(owner)) await this.#pause();
  }

  /** Files mail for at most `graceMs`. The rest stays in the spool until the next start. */
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
    while (this.#mayStore()) void this.#storeBatch(nextBatch(this.#read));
    if (this.#unread.length + this.#read.length > 0) this.#workSoon();
  }

  #mayStore(): boolean {
    const first = this.#read.peek();
    const isUrgent = this.#isQuiet || this.#unread.oldestMs > filingPaceLimits.overdueMs;
    if (!first || this.#storing >= batchesAtOnce[isUrgent ? 'quiet' : 'busy']) return false;
    // A mail whose sender has slow DNS delays the others of its batch for a moment only.
    const isBatch = this.#reading === 0 || this.#read.length >= gatherMails;
    return isBatch || performance.now() - first.readAt >= gatherMs;
  }

  #nextToRead(): WaitingMail | undefined {
    if (this.#reading >= readAtOnceMax || this.#reading + this.#read.length >= readAheadMax) return undefined;
    return this.#unread.shift((owner) => this.#readAhead.hasRoom(owner));
  }

  async #readOne(waiting: WaitingMail): Promise<void> {
    const { envelope } = waiting;
    this.#reading += 1;
    waiting.release = this.#readAhead.hold(firstInbox(envelope), envelope.size_bytes);
    this.#pace.noteWork();
    try {
      const raw = waiting.raw ?? (await this.#readSpooled(envelope));
      const mail = raw && (await this.#parse(envelope, raw));
      if (mail) this.#wait({ envelope, mail, readAt: performance.now() });
      else await this.#giveUp(envelope);
    } catch (error) {
      this.#deps.log.error({ err: error, messageId: envelope.id }, 'an acknowledged mail was not read yet');
      await sleep(retryMs);
      waiting.release?.();
      this.#underway.set(envelope.id, this.#unread.putBack(waiting));
    }
    this.#reading -= 1;
    this.#work();
  }

  #wait(mail: StorableMail): void {
    const { envelope } = mail;
    this.#read.push(firstInbox(envelope), mail, costInTurns(envelope, countFiles(mail)));
  }

  #parse(envelope: SpooledEnvelope, raw: Buffer): Promise<StorableMail['mail']> {
    const { envelope_from: envelopeFrom, helo, remote_address: remoteAddress, at } = envelope;
    const owner = firstInbox(envelope);
    const parent = envelope.targets[0]?.traceparent ?? null;
    return this.#deps.tracing.trace('read mail', { kind: 'consumer', parent }, () =>
      readInbound(this.#deps, { raw, envelopeFrom, helo, remoteAddress, owner }, at),
    );
  }

  /** An original is removed with its inbox. Without it there is nothing left to file. */
  async #giveUp(envelope: SpooledEnvelope): Promise<void> {
    await removeFromSpool(this.#deps, envelope.id);
    this.#deps.log.warn({ messageId: envelope.id }, 'an email in the spool has no original');
    this.#finish(envelope, goneReceipts(envelope));
  }

  async #storeBatch(batch: StorableMail[]): Promise<void> {
    this.#storing += 1;
    this.#pace.noteWork();
    try {
      const receipts = await storeSpooled(this.#deps, batch);
      this.#databaseAway = false;
      for (const { envelope } of batch) this.#finish(envelope, receipts.get(envelope.id) ?? []);
      this.#pace.endRound(
        this.#unread.oldestMs,
        () => this.#isQuiet,
        () => this.#work(),
      );
    } catch (error) {
      this.#deps.log.warn({ err: error, mails: batch.length }, 'acknowledged mail was not stored yet');
      this.#databaseAway = isUnavailable(error) && !isTooMuchAtOnce(error);
      // Unless the database is unavailable, one of the mails spoils the batch.
      const failed = this.#databaseAway ? batch : await this.#storeEach(batch);
      if (failed.length > 0) await sleep(retryMs);
      for (const mail of failed) this.#wait(mail);
    }
    this.#storing -= 1;
    this.#work();
  }

  /** Stores each mail separately and returns those that failed. */
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
    mail.release?.();
    noteFiled(this.#note, envelope, receipts);
  }
}

function goneReceipts({ targets }: SpooledEnvelope): Receipt[] {
  return targets.map(({ workspace_id: workspaceId, inbox_id: inboxId }) => ({
    inbox: { workspaceId, inboxId },
    messageId: null,
    outcome: 'inbox_gone',
  }));
}
