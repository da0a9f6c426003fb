/*
 * Places for large bodies. A large request takes some times its body: bytes, texts, the mail that is composed of them. So few of
 * a workspace are taken at once, and all together stay within some memory. A request without a place waits with its body unread, and
 * gets 429 when that takes too long. Nobody waits because another workspace has taken its own share.
 */
import { limits } from '@postrider/contract';
import { tooManyRequests } from '../../lib/rate-limited.ts';

/** What large bodies may take. */
export const bodyPlaceLimits = {
  /** Of all workspaces. */
  bytesMax: 96 * 1_048_576,
  /** Of one, which is less, so that one alone keeps nobody out. */
  bytesPerWorkspaceMax: 24 * 1_048_576,
  /** Requests of one workspace that wait; each holds a connection. */
  waitingPerWorkspaceMax: 32,
  waitMs: 10_000,
};

/** When a request that found no place is told to come again. */
const comeAgainMs = 2_000;

/** Gives a place back; once is enough. */
export type LeavePlace = () => void;

interface Share {
  places: number;
  bytes: number;
  waiting: number;
}

interface Waiter {
  owner: string;
  bytes: number;
  admit(leave: LeavePlace): void;
}

/** The places of a process. */
export class BodyPlaces {
  readonly #shares = new Map<string, Share>();
  readonly #waiters = new Set<Waiter>();
  #bytes = 0;

  /**
   * Takes a place for a body of up to so many bytes, maybe after waiting.
   *
   * @throws ApiError `rate_limited` when none becomes free in time, or once the client is gone.
   */
  async take(owner: string, bytes: number, gone: AbortSignal): Promise<LeavePlace> {
    const waiting = this.#shares.get(owner)?.waiting ?? 0;
    // Who waits goes before who comes.
    if (waiting === 0 && this.#fits(owner, bytes)) return this.#occupy(owner, bytes);
    if (waiting >= bodyPlaceLimits.waitingPerWorkspaceMax || gone.aborted) throw tooManyRequests(comeAgainMs);
    return this.#wait(owner, bytes, gone);
  }

  #fits(owner: string, bytes: number): boolean {
    const { places = 0, bytes: taken = 0 } = this.#shares.get(owner) ?? {};
    return (
      places < limits.largeRequestsPerWorkspaceMax &&
      isWithin(taken, bytes, bodyPlaceLimits.bytesPerWorkspaceMax) &&
      isWithin(this.#bytes, bytes, bodyPlaceLimits.bytesMax)
    );
  }

  #occupy(owner: string, bytes: number): LeavePlace {
    this.#change(owner, { places: 1, bytes });
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#change(owner, { places: -1, bytes: -bytes });
      for (const waiter of this.#waiters)
        if (this.#fits(waiter.owner, waiter.bytes)) waiter.admit(this.#occupy(waiter.owner, waiter.bytes));
    };
  }

  #wait(owner: string, bytes: number, gone: AbortSignal): Promise<LeavePlace> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        gone.removeEventListener('abort', giveUp);
        this.#waiters.delete(waiter);
        this.#change(owner, { waiting: -1 });
      };
      const giveUp = () => {
        stop();
        reject(tooManyRequests(comeAgainMs));
      };
      const admit = (leave: LeavePlace) => {
        stop();
        resolve(leave);
      };
      const waiter = { owner, bytes, admit };
      const timer = setTimeout(giveUp, bodyPlaceLimits.waitMs);
      gone.addEventListener('abort', giveUp);
      this.#waiters.add(waiter);
      this.#change(owner, { waiting: 1 });
    });
  }

  #change(owner: string, { places = 0, bytes = 0, waiting = 0 }: Partial<Share>): void {
    const before = this.#shares.get(owner) ?? { places: 0, bytes: 0, waiting: 0 };
    const share = {
      places: before.places + places,
      bytes: before.bytes + bytes,
      waiting: before.waiting + waiting,
    };
    this.#bytes += bytes;
    if (share.places > 0 || share.waiting > 0) this.#shares.set(owner, share);
    else this.#shares.delete(owner);
  }
}

/** One body alone is always within, so that no limit keeps it out for good. */
const isWithin = (taken: number, bytes: number, max: number): boolean => taken === 0 || taken + bytes <= max;
