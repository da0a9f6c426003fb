import { TurnQueue } from './turn-queue.ts';

/** Turns for the work of many keys. */
export interface FairTurns {
  /** Runs the work of a key, or waits until it is its turn; fails as `tooLate` says once that takes too long. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Counts something as work of the key, but not of all keys together, until the answered function is called. */
  hold(key: string): () => void;
}

/** How much may be done at once, in all and for one key; asked whenever something could begin. */
export interface FairTurnsRules {
  atOnceMax(): number;
  atOnceOf(key: string): number;
  /** How long work may wait, and what it fails with then; without them, as long as it takes. */
  waitMsMax?(): number;
  tooLate?(): Error;
  /** How long work still counts for its key once it is done, by how long it took; without it, no longer. */
  rest?(tookMs: number): Promise<unknown>;
}

/**
 * Lets work of many keys be done, so much at a time. Keys that wait take turns, however much each of them asks for, so that one
 * with a thousand pieces of work holds up another one by a single piece.
 */
export const createFairTurns = (rules: FairTurnsRules): FairTurns => {
  const { atOnceMax, atOnceOf, waitMsMax, tooLate, rest } = rules;
  const working = new Map<string, number>();
  const line = new TurnQueue<() => void>();
  let all = 0;
  const count = (key: string, by: number) => {
    const now = (working.get(key) ?? 0) + by;
    if (now === 0) working.delete(key);
    else working.set(key, now);
  };
  const mayBegin = (key: string) => all < atOnceMax() && (working.get(key) ?? 0) < atOnceOf(key);
  const begin = (key: string) => {
    all += 1;
    count(key, 1);
  };
  const beginWaiting = () => {
    for (let start = line.shift(mayBegin); start; start = line.shift(mayBegin)) start();
  };
  const waitForTurn = (key: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const giveUp = () => {
        line.remove(key, start);
        reject(tooLate?.());
      };
      const timer = waitMsMax && setTimeout(giveUp, waitMsMax());
      const start = () => {
        clearTimeout(timer);
        begin(key);
        resolve();
      };
      line.push(key, start);
    });
  const hold = (key: string) => {
    count(key, 1);
    return () => {
      count(key, -1);
      beginWaiting();
    };
  };
  return {
    run: async (key, work) => {
      if (mayBegin(key)) begin(key);
      else await waitForTurn(key);
      const begunMs = performance.now();
      try {
        return await work();
      } finally {
        if (rest) void rest(performance.now() - begunMs).then(hold(key));
        all -= 1;
        count(key, -1);
        beginWaiting();
      }
    },
    hold,
  };
};
