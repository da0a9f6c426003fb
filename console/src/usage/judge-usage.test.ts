import type { UsageDay } from '@postrider/contract/console';
import { expect, test } from 'vitest';
import { bounceRate, complaintRate, judgeFullness, sumDays, usedShare } from './judge-usage.ts';

const nothing = { sent: 0, received: 0, delivered: 0, bounced: 0, complained: 0, storage_bytes: 0 };
const day = (counted: Partial<UsageDay>): UsageDay => ({ day: '2026-11-20', ...nothing, ...counted });

test.each([
  [0, 10, 'fine'],
  [7.9, 10, 'fine'],
  [8, 10, 'near'],
  [10, 10, 'full'],
  [11, 10, 'full'],
  [0, 0, 'full'],
])('%s of %s is %s', (used, limit, expected) => expect(judgeFullness(used, limit)).toBe(expected));

test('a share is at most the whole, also of a limit that became smaller than what is used', () => {
  expect([usedShare(5, 10), usedShare(20, 10), usedShare(0, 0)]).toEqual([0.5, 1, 1]);
});

test('totals are over all days, with what was removed', () => {
  expect(sumDays([day({ storage_bytes: 100 }), day({ storage_bytes: -30 })], 'storage_bytes')).toBe(70);
});

test('a bounce rate is of mails with an outcome, over all days', () => {
  const days = [day({ delivered: 95, bounced: 2 }), day({ bounced: 3 })];
  expect(bounceRate(days)).toEqual({ count: 5, all: 100, share: 0.05, verdict: 'bad' });
  expect(bounceRate([day({ delivered: 960, bounced: 40 })]).verdict).toBe('good');
});

test('a few mails are judged neither badly nor well, and no mail has no rate', () => {
  expect(bounceRate([day({ delivered: 1 })]).verdict).toBe('few');
  expect(complaintRate([day({ delivered: 1 })]).verdict).toBe('few');
  expect(bounceRate([day({ delivered: 1, bounced: 1 })]).verdict).toBe('few');
  expect(bounceRate([])).toEqual({ count: 0, all: 0, share: 0, verdict: 'none' });
});

test('complaints are judged from one of a thousand on', () => {
  expect(complaintRate([day({ delivered: 1_000, complained: 1 })]).verdict).toBe('bad');
  expect(complaintRate([day({ delivered: 1_001, complained: 1 })]).verdict).toBe('good');
  expect(complaintRate([day({ delivered: 999, complained: 2 })]).verdict).toBe('few');
  expect(complaintRate([day({ complained: 3 })])).toMatchObject({ all: 0, verdict: 'none' });
});
