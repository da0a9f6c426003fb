import { FairQueue } from './fair-queue.ts';

/** Turns for the work of many owners. */
export interface FairLimiter {
  /** Runs the work of an owner in its turn. Rejects with the error of `patience`, by default that of the rules, if it waits too long. */
  run<T>(owner: string, work: () => Promise<T>, patience?: Patience): Promise<T>;
  /** Counts one more piece of work for the owner, but not in the total of all owners, until the returned function is called. */
  hold(owner: string): () => void;
}

/** How long work may wait for its turn, and the error if it waits longer. */
export interface Patience {
  msMax(): number;
  /** How much work of one owner may wait at once; without it, any amount. Work beyond it is refused with the error. */
  waitingMax?: number;
  error(): Error;
  /** Aborted to end the wait early. */
  ended?: AbortSignal;
}

/** How much work may run at once, in total and for one owner. Called whenever work could begin. */
export interface FairLimiterRules {
  atOnceMax(): number;
  atOnceOf(owner: string): number;
  /** How long work may wait, and the error if it waits longer. Without it, work waits without a limit. */
  patience?: Patience;
  /**
   * Returns a promise that resolves when finished work no longer counts for its owner, depending on how long it took. Without `rest`, or if
   * it returns undefined, the work stops counting at once.
   */
  rest?(tookMs: number, owner: string): Promise<unknown> | undefined;
}

/**
 * Creates turns that run the work of many owners, a limited amount at a time. Waiting owners take turns, so that one with a thousand pieces
 * of work delays another by a single piece.
 */
export function createFairLimiter(rules: FairLimiterRules): FairLimiter {
  const { atOnceMax, atOnceOf, rest } = rules;
  const working = new Map<string, number>();
  const line = new FairQueue<() => void>();
  let all = 0;
  const count = (owner: string, by: number) => {
    const now = (working.get(owner) ?? 0) + by;
    if (now === 0) working.delete(owner);
    else working.set(owner, now);
  };
  const mayBegin = (owner: string) => all < atOnceMax() && (working.get(owner) ?? 0) < atOnceOf(owner);
  const begin = (owner: string) => {
    all += 1;
    count(owner, 1);
  };
  const beginWaiting = () => {
    for (let start = line.shift(mayBegin); start; start = line.shift(mayBegin)) start();
  };
  const hold = (owner: string) => {
    count(owner, 1);
    return () => {
      count(owner, -1);
      beginWaiting();
    };
  };
  return {
    run: async (owner, work, patience = rules.patience) => {
      if (mayBegin(owner)) begin(owner);
      else await waitInLine(line, owner, () => begin(owner), patience);
      const begunMs = performance.now();
      try {
        return await work();
      } finally {
        const resting = rest?.(performance.now() - begunMs, owner);
        if (resting) void resting.then(hold(owner));
        all -= 1;
        count(owner, -1);
        beginWaiting();
      }
    },
    hold,
  };
}

/** Waits in line, and calls `count` when the owner's turn comes. */
function waitInLine(
  line: FairQueue<() => void>,
  owner: string,
  count: () => void,
  patience: Patience | undefined,
): Promise<void> {
  if (patience?.waitingMax !== undefined && line.lengthOf(owner) >= patience.waitingMax)
    return Promise.reject(patience.error());
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      line.remove(owner, start);
      stop();
      reject(patience?.error());
    };
    const timer = patience && setTimeout(giveUp, patience.msMax());
    patience?.ended?.addEventListener('abort', giveUp);
    const stop = () => {
      clearTimeout(timer);
      patience?.ended?.removeEventListener('abort', giveUp);
    };
    const start = () => {
      stop();
      count();
      resolve();
    };
    line.push(owner, start);
  });
}
