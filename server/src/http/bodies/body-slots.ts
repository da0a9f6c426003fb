/*
 * Slots for large bodies. A large request takes several times the memory of its body: bytes, texts, and the mail that is composed of them.
 * So each workspace has few at once, and all together stay within a fixed amount of memory. A request without a slot waits with its body
 * unread, and gets 429 if that takes too long. No workspace waits because another one has taken its own share.
 */
import { limits } from '@postrider/contract';
import { tooManyRequests } from '../../lib/rate-limited.ts';

/** The limits of large bodies. */
export const bodySlotLimits = {
  /** The bytes of all workspaces. */
  bytesMax: 96 * 1_048_576,
  /** The bytes of one workspace, which are fewer, so that one alone keeps nobody out. */
  bytesPerWorkspaceMax: 24 * 1_048_576,
  /** The waiting requests of one workspace. Each holds a connection. */
  waitingPerWorkspaceMax: 32,
  waitMs: 10_000,
};

/** The time after which a request without a slot is told to try again. */
const comeAgainMs = 2_000;

/** Releases a slot. Further calls do nothing. */
export type ReleaseSlot = () => void;

interface Share {
  slots: number;
  bytes: number;
  waiting: number;
}

interface Waiter {
  owner: string;
  bytes: number;
  admit(leave: ReleaseSlot): void;
}

/** The slots of a process. */
export class BodySlots {
  readonly #shares = new Map<string, Share>();
  readonly #waiters = new Set<Waiter>();
  #bytes = 0;

  /**
   * Takes a slot for a body of up to this many bytes, maybe after waiting.
   *
   * @throws ApiError `rate_limited` if none becomes free in time, or once the client is gone.
   */
  async take(owner: string, bytes: number, gone: AbortSignal): Promise<ReleaseSlot> {
    const waiting = this.#shares.get(owner)?.waiting ?? 0;
    // Waiting requests come before new ones.
    if (waiting === 0 && this.#fits(owner, bytes)) return this.#occupy(owner, bytes);
    if (waiting >= bodySlotLimits.waitingPerWorkspaceMax || gone.aborted) throw tooManyRequests(comeAgainMs);
    return this.#wait(owner, bytes, gone);
  }

  #fits(owner: string, bytes: number): boolean {
    const { slots = 0, bytes: taken = 0 } = this.#shares.get(owner) ?? {};
    return (
      slots < limits.largeRequestsPerWorkspaceMax &&
      isWithin(taken, bytes, bodySlotLimits.bytesPerWorkspaceMax) &&
      isWithin(this.#bytes, bytes, bodySlotLimits.bytesMax)
    );
  }

  #occupy(owner: string, bytes: number): ReleaseSlot {
    this.#change(owner, { slots: 1, bytes });
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#change(owner, { slots: -1, bytes: -bytes });
      for (const waiter of this.#waiters)
        if (this.#fits(waiter.owner, waiter.bytes)) waiter.admit(this.#occupy(waiter.owner, waiter.bytes));
    };
  }

  #wait(owner: string, bytes: number, gone: AbortSignal): Promise<ReleaseSlot> {
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
      const admit = (leave: ReleaseSlot) => {
        stop();
        resolve(leave);
      };
      const waiter = { owner, bytes, admit };
      const timer = setTimeout(giveUp, bodySlotLimits.waitMs);
      gone.addEventListener('abort', giveUp);
      this.#waiters.add(waiter);
      this.#change(owner, { waiting: 1 });
    });
  }

  #change(owner: string, { slots = 0, bytes = 0, waiting = 0 }: Partial<Share>): void {
    const before = this.#shares.get(owner) ?? { slots: 0, bytes: 0, waiting: 0 };
    const share = {
      slots: before.slots + slots,
      bytes: before.bytes + bytes,
      waiting: before.waiting + waiting,
    };
    this.#bytes += bytes;
    if (share.slots > 0 || share.waiting > 0) this.#shares.set(owner, share);
    else this.#shares.delete(owner);
  }
}

/** Returns whether a body fits. One body alone always fits, so that no limit keeps it out for good. */
function isWithin(taken: number, bytes: number, max: number): boolean {
  return taken === 0 || taken + bytes <= max;
}
