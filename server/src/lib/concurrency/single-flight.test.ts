import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSingleFlight } from './single-flight.ts';

/** Calls that end when the test says so, each with its number. */
const heldCalls = () => {
  const held: { number: number; end: PromiseWithResolvers<number> }[] = [];
  return {
    held,
    call: () => {
      const end = Promise.withResolvers<number>();
      held.push({ number: held.length + 1, end });
      return end.promise;
    },
    async endNext() {
      const { number, end } = held.at(-1) ?? { number: 0, end: Promise.withResolvers<number>() };
      end.resolve(number);
      await nextTurn();
    },
  };
};

test('callers of one moment share a call, those who come while it runs share the next one', async () => {
  const share = createSingleFlight<number>();
  const { held, call, endNext } = heldCalls();
  const first = [share('a', call), share('a', call)];
  await nextTurn();
  const second = [share('a', call), share('a', call), share('a', call)];
  await nextTurn();
  expect(held).toHaveLength(1);
  await endNext();
  expect(await Promise.all(first)).toEqual([1, 1]);
  expect(held).toHaveLength(2);
  await endNext();
  expect(await Promise.all(second)).toEqual([2, 2, 2]);
  const third = share('a', call);
  await nextTurn();
  await endNext();
  expect(await third).toBe(3);
});

test('calls of different keys are their own, and run at the same time', async () => {
  const share = createSingleFlight<string>();
  expect(await Promise.all(['a', 'b'].map((key) => share(key, async () => key)))).toEqual(['a', 'b']);
});

test('a call that fails fails for all who share it, and for nobody after it', async () => {
  const share = createSingleFlight<string>();
  const fail = () => Promise.reject(new Error('away'));
  const shared = [share('a', fail), share('a', fail)];
  expect((await Promise.allSettled(shared)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const failing = share('a', fail).catch(() => 'failed');
  await Promise.resolve();
  const after = share('a', async () => 'fine');
  expect([await failing, await after]).toEqual(['failed', 'fine']);
});
