import type { Context } from '../context.ts';
import { isRolledBack } from '../db/database-errors.ts';
import { waitFor } from '../lib/concurrency/wait.ts';
import { deferredByRelay } from '../mail/transports/transport.ts';
import { type DeliveryJob, dispatch, settle, type Written } from './dispatch.ts';
import { LeaseLost, markHandedOver } from './lease.ts';

/** How long a message waits for the next hop before it is stored without its agreement. */
const agreementWaitMs = 250;

/** The first attempts of a message that is not stored yet. */
export interface FirstAttempts {
  /** The addresses for which the next hop has agreed to take the message. The message is stored with the status `sending` for them. */
  agreed: ReadonlySet<string>;
  /**
   * Lets the attempts go on once `storing` has stored the message, and cuts them short if it has not. Returns what `storing` resolves to, and
   * rejects as it does.
   */
  goOnAfter<T extends { outcome: string }>(storing: Promise<T>): Promise<T>;
  /** Resolves to the recorded outcome of each recipient, or null if there is none. They are complete only once the message is stored. */
  ended(): Promise<(Written | null)[]>;
}

/**
 * Begins the first attempts of a message before it is stored. They go as far as the next hop's agreement to take the message (354), and no
 * byte of it leaves before it is stored. So one commit accepts the message and records that it may have gone from then on. Resolves
 * as soon as the next hop agrees for one recipient or an attempt ends, and after a quarter of a second in any case. With `isStoredFirst`
 * they begin after the message is stored, so that one that waits for its turn holds no connection.
 */
export async function beginAttempts(
  ctx: Context,
  jobs: DeliveryJob[],
  raw: Buffer,
  { isStoredFirst = false } = {},
): Promise<FirstAttempts> {
  const agreed = new Set<string>();
  const first = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<void>();
  // All attempts may have ended by the time that it rejects.
  stored.promise.catch(() => {});
  let isBeingStored = false;
  let ended: Promise<(Written | null)[]> | null = null;
  const begin = () => {
    ended ??= dispatch(ctx, jobs, raw, {
      handOver: async (job) => {
        const isInTime = !isBeingStored;
        if (isInTime) agreed.add(job.address);
        first.resolve();
        await stored.promise;
        if (!isInTime) await markHandedOver(ctx, job);
      },
      beforeOutcome: () => {
        first.resolve();
        return stored.promise;
      },
    });
    return ended;
  };
  if (!isStoredFirst) {
    void begin();
    await waitFor(first.promise, agreementWaitMs, ctx.stopping);
  }
  isBeingStored = true;
  return {
    agreed,
    ended: begin,
    goOnAfter: async (storing) => {
      try {
        const answer = await storing;
        if (answer.outcome === 'stored') {
          stored.resolve();
          void begin();
        } else stored.reject(new LeaseLost('The message was not stored.'));
        return answer;
      } catch (error) {
        stored.reject(new LeaseLost('The message was not stored.'));
        if (!isRolledBack(error)) for (const job of jobs) if (agreed.has(job.address)) takeBack(ctx, job);
        throw error;
      }
    },
  };
}

/** If the database did not say whether it stored the message, its recipient is tried again, since the message was not handed over. */
function takeBack(ctx: Context, job: DeliveryJob): void {
  const outcome = deferredByRelay('The message was not handed over, because the database did not answer.');
  ctx.background.run(settle(ctx, job, outcome));
}
