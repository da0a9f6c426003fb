import { type Rest, restWhileBusy } from './loop-idle.ts';
import { TurnQueue } from './turn-queue.ts';

/** Turns for the work of many owners. */
export interface FairTurns {
  /** Runs the work of an owner in its turn; fails with the error of `patience`, that of the rules unless given, when it waits too long. */
  run<T>(owner: string, work: () => Promise<T>, patience?: Patience): Promise<T>;
  /** Counts something as work of the owner, but not of all owners together, until the answered function is called. */
  hold(owner: string): () => void;
}

/** How long work may wait for its turn, and what it fails with then. */
export interface Patience {
  msMax(): number;
  error(): Error;
  /** Ends the waiting too. */
  ended?: AbortSignal;
}

/** How much may be done at once, in all and for one owner; asked whenever something could begin. */
export interface FairTurnsRules {
  atOnceMax(): number;
  atOnceOf(owner: string): number;
  /** How long work may wait, and what it fails with then; without it, work waits as long as it takes. */
  patience?: Patience;
  /** How long work still counts for its owner once it is done, by how long it took; without it, or a promise of it, no longer. */
  rest?(tookMs: number, owner: string): Promise<unknown> | undefined;
}

/** How long work still counts for its owner where everything shares the one thread of the process. */
export const turnRest: Rest = { share: 2, msMax: 100 };

/** The `rest` of turns on the embedded database. */
export const restOfTurn = (tookMs: number): Promise<void> => restWhileBusy(tookMs, turnRest);

/**
 * Runs the work of many owners, a limited amount at a time. Waiting owners take turns, so that one with a thousand pieces of work
 * delays another by a single piece.
 */
export const createFairTurns = (rules: FairTurnsRules): FairTurns => {
  const { atOnceMax, atOnceOf, rest } = rules;
  const working = new Map<string, number>();
  const line = new TurnQueue<() => void>();
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
};

/** Waits in a line, and has the owner's work counted when its turn comes. */
const waitInLine = (
  line: TurnQueue<() => void>,
  owner: string,
  count: () => void,
  patience: Patience | undefined,
): Promise<void> =>
  new Promise((resolve, reject) => {
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
