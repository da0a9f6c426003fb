import type { Context } from '../context.ts';
import { isRolledBack } from '../db/database-errors.ts';
import { wait, waitFor } from '../lib/concurrency/wait.ts';
import { deferredByRelay } from '../mail/transports/transport.ts';
import { decideDelivery } from './delivery-outcome.ts';
import { type DeliveryJob, dispatch, type Written } from './dispatch.ts';
import { isHandoverLate, LeaseLost, markAgain, markHandedOver, recordOutcome } from './recipient-state.ts';

/** How long a message waits for the next hop before it is stored without its agreement. */
const agreementWaitMs = 250;
const takeBackAgainMs = 1_000;
const takeBackTriesMax = 60;

/**
 * The first attempts of a message, which begin before it is stored. They stop once the next hop agrees to accept the message (354), and no
 * byte of it is sent before it is stored. One commit thus accepts the message and records that it may be sent from then on.
 */
export class FirstAttempts {
  /** The addresses for which the next hop has agreed to accept the message. It is stored with the status `sending` for them. */
  readonly agreed = new Set<string>();
  readonly #ctx: Context;
  readonly #jobs: DeliveryJob[];
  readonly #raw: Buffer;
  readonly #first = Promise.withResolvers<void>();
  readonly #stored = Promise.withResolvers<void>();
  #isBeingStored = false;
  #ended: Promise<(Written | null)[]> | null = null;

  private constructor(ctx: Context, jobs: DeliveryJob[], raw: Buffer) {
    this.#ctx = ctx;
    this.#jobs = jobs;
    this.#raw = raw;
    // All attempts may have ended by the time that it rejects.
    this.#stored.promise.catch(() => {});
  }

  /**
   * Begins the attempts. Resolves as soon as the next hop agrees for one recipient or an attempt ends, and after a quarter of a second in
   * any case. With `isStoredFirst`, they begin once the message is stored, so that a message that takes long to store does not hold a
   * connection.
   */
  static async begin(
    ctx: Context,
    jobs: DeliveryJob[],
    raw: Buffer,
    { isStoredFirst = false } = {},
  ): Promise<FirstAttempts> {
    const attempts = new FirstAttempts(ctx, jobs, raw);
    if (!isStoredFirst) {
      void attempts.ended().finally(() => attempts.#first.resolve());
      await waitFor(attempts.#first.promise, agreementWaitMs, ctx.stopping);
    }
    attempts.#isBeingStored = true;
    return attempts;
  }

  /**
   * Lets the attempts continue once `storing` has stored the message, and stops them if it has not. Returns the result of `storing`, and
   * rejects as it does.
   */
  async goOnAfter<T extends { outcome: string }>(storing: Promise<T>): Promise<T> {
    const begunMs = performance.now();
    try {
      const answer = await storing;
      const isLate = isHandoverLate(this.#ctx, begunMs);
      if (answer.outcome !== 'stored') this.#cutShort('The message was not stored.');
      else if (isLate && !(await this.#mayStillGo())) this.#takeBack('Sending was paused meanwhile.');
      else {
        this.#stored.resolve();
        void this.ended();
      }
      return answer;
    } catch (error) {
      if (isRolledBack(error)) this.#cutShort('The message was not stored.');
      else this.#takeBack('The database did not say whether it stored the message.');
      throw error;
    }
  }

  /** Resolves to the recorded outcome of each recipient, or null if there is none. */
  ended(): Promise<(Written | null)[]> {
    this.#ended ??= dispatch(this.#ctx, this.#jobs, this.#raw, {
      handOver: (job) => this.#handOver(job),
      beforeOutcome: () => {
        this.#first.resolve();
        return this.#stored.promise;
      },
    });
    return this.#ended;
  }

  async #handOver(job: DeliveryJob): Promise<void> {
    const isInTime = !this.#isBeingStored;
    if (isInTime) this.agreed.add(job.address);
    this.#first.resolve();
    await this.#stored.promise;
    if (!isInTime) await markHandedOver(this.#ctx, job);
  }

  /** Renews the leases of a message that took long to store. Sending may be paused by now, or another process may have its recipients. */
  async #mayStillGo(): Promise<boolean> {
    const agreed = this.#jobs.filter((job) => this.agreed.has(job.address));
    const marks = await Promise.all(agreed.map((job) => markAgain(this.#ctx, job)));
    return marks.every(Boolean);
  }

  #cutShort(reason: string): void {
    this.#stored.reject(new LeaseLost(reason));
  }

  /** Cuts the attempts short and has recipients that may be stored as `sending` tried again, since nothing was handed over. */
  #takeBack(reason: string): void {
    this.#cutShort(reason);
    for (const job of this.#jobs)
      if (this.agreed.has(job.address)) this.#ctx.background.run(takeBack(this.#ctx, job, reason));
  }
}

/** Tries for a minute, because the database may be away, or not have ended the transaction that stores the message. */
async function takeBack(ctx: Context, job: DeliveryJob, reason: string): Promise<void> {
  const at = ctx.clock.now();
  const { address: recipient, attempts, expiresAt } = job;
  const attempt = { recipient, attempts, expiresAt, at, timeScale: ctx.timeScale };
  const change = decideDelivery(deferredByRelay(reason), attempt);
  // Nothing was handed over, so it is due again at once. Where sending is paused, it then waits for the end of the pause.
  const again = { ...change, dueAt: change.dueAt && at };
  for (let tries = 1; tries <= takeBackTriesMax; tries++) {
    if (await recordOutcome(ctx, job, again, at, attempts).catch(() => false)) {
      ctx.wakeups.wake(job.workspaceId, 'deliveries');
      return;
    }
    if ((await wait(takeBackAgainMs, ctx.stopping)) === 'aborted') return;
  }
}
