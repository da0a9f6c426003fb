import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Makes a call for one item, which may be part of one call for many items. */
export type Batcher<T, R> = (item: T) => Promise<R>;

/** How items are grouped. */
interface BatchLimits<T> {
  /** Returns how many of the waiting items go into the next call, at least one. */
  countOf(items: T[]): number;
  /** How many calls may be under way at once; default 1. */
  callsMax?: number;
}

/** A call is for many callers, so it does not run in the async context of the first one, which may name its owner. */
const outside = AsyncLocalStorage.snapshot();

interface Waiting<R> {
  resolve(answer: R | Promise<R>): void;
  reject(error: unknown): void;
}

/**
 * Creates a function that puts the items of one turn of the event loop, and those that come while calls are under way, into one call. So
 * many callers at once cost few calls, and a lone one waits for nobody. Callers that get their results together make their next calls
 * together. `call` returns the results in the order of its items, each as a value or a promise of its own, and if it fails, all of its
 * callers fail. Later callers do not wait for a call that takes longer than two seconds, as on a dead connection.
 */
export function createBatcher<T, R>(
  call: (items: T[]) => Promise<(R | Promise<R>)[]>,
  { countOf, callsMax = 1 }: BatchLimits<T>,
): Batcher<T, R> {
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
}

const slowMs = 2_000;

async function withPatience(call: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, slowMs);
  });
  await Promise.race([call, slow]);
  clearTimeout(timer);
}

/** Makes a call, or joins one with the same key that has not begun. */
type SingleFlight<T> = (key: string, call: () => Promise<T>) => Promise<T>;

/**
 * Creates a function that lets callers with the same key share one call. One call of a key runs at a time. A caller never joins one that
 * has begun, so its result is never older than its request.
 */
export function createSingleFlight<T>(): SingleFlight<T> {
  const running = new Map<string, Promise<T>>();
  const due = new Map<string, Promise<T>>();
  const begin = async (key: string, call: () => Promise<T>, before: Promise<T> | undefined): Promise<T> => {
    await before?.catch(() => {});
    due.delete(key);
    const begun = call();
    running.set(key, begun);
    try {
      return await begun;
    } finally {
      if (running.get(key) === begun) running.delete(key);
    }
  };
  return (key, call) => {
    const joined = due.get(key);
    if (joined) return joined;
    const next = begin(key, call, running.get(key));
    due.set(key, next);
    return next;
  };
}
