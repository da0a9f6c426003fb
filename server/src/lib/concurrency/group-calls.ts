import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Asks about one item; the answer may come from one call for many. */
export type GroupedCall<T, R> = (item: T) => Promise<R>;

/** How items are put together. */
export interface GroupLimits<T> {
  /** How many of those that wait go together, at least one. */
  countOf(items: T[]): number;
  /** How many calls may be under way at once; default 1. */
  callsMax?: number;
}

/** Calls are for many: nothing that the first of these carries with it, such as whose it is, goes with them. */
const outside = AsyncLocalStorage.snapshot();

interface Waiting<R> {
  resolve(answer: R | Promise<R>): void;
  reject(error: unknown): void;
}

/**
 * Puts what is asked in one turn of the event loop, and what is asked while calls are under way, into one call, so that many
 * callers at once cost few calls and a lone one waits for nobody: those who were answered together ask the next thing together.
 * `call` answers in the order of its items, each by a value or a promise of its own, and its failure is everybody's. Who comes
 * later does not wait for a call that takes longer than two seconds, as on a connection that died.
 */
export const createGroupedCall = <T, R>(
  call: (items: T[]) => Promise<(R | Promise<R>)[]>,
  { countOf, callsMax = 1 }: GroupLimits<T>,
): GroupedCall<T, R> => {
  const items: T[] = [];
  const waiting: Waiting<R>[] = [];
  let underway = 0;
  const callNext = async () => {
    const count = Math.max(1, countOf(items));
    const askers = waiting.splice(0, count);
    try {
      const answers = await call(items.splice(0, count));
      for (const [index, asker] of askers.entries()) asker.resolve(answers[index] as R | Promise<R>);
    } catch (error) {
      for (const asker of askers) asker.reject(error);
    }
  };
  const run = async () => {
    underway += 1;
    await nextTurn();
    while (items.length > 0) await withPatience(callNext());
    underway -= 1;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      items.push(item);
      waiting.push({ resolve, reject });
      if (underway < callsMax) void outside(run);
    });
};

const slowMs = 2_000;

const withPatience = async (call: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, slowMs);
  });
  await Promise.race([call, slow]);
  clearTimeout(timer);
};
