import { expect, it } from 'vitest';
import {
  countMails,
  inboxPlace,
  mailsFor,
  places,
  placesCount,
  someNumbers,
  threadNumber,
  workspacePlace,
} from './search-numbers.ts';

const mails = mailsFor(20_000);

it('gives the workspaces a tenth and a hundredth of the largest, and the others some of the rest', () => {
  const counts = countMails(mails);
  const large = counts[places.large]!;
  expect(large).toBeGreaterThanOrEqual(20_000);
  expect(counts[places.middle]! / large).toBeCloseTo(0.1, 2);
  expect(counts[places.small]! / large).toBeCloseTo(0.01, 2);
  expect(counts).toHaveLength(placesCount);
  expect(counts.reduce((sum, count) => sum + count)).toBe(mails);
  expect(Math.min(...counts)).toBeGreaterThan(0);
});

it('keeps a thread in one inbox, and has one thread in 200 in the first', () => {
  let inFirst = 0;
  for (let number = 0; number < mails; number++) {
    if (workspacePlace(number) === places.large && inboxPlace(number) === 0) inFirst++;
    if (number % 3 > 0)
      expect([workspacePlace(number), inboxPlace(number)]).toEqual([
        workspacePlace(number - 1),
        inboxPlace(number - 1),
      ]);
  }
  expect(inFirst / countMails(mails)[places.large]!).toBeCloseTo(1 / 200, 3);
  expect(threadNumber(5)).toBe(1);
});

it('finds mails of a workspace', () => {
  const numbers = someNumbers(places.small, mails, 20);
  expect(numbers.every((number) => workspacePlace(number) === places.small && number < mails)).toBe(true);
});
