import { expect, test } from 'vitest';
import { describeReports } from './reported-mail.ts';

const worst = { source: '203.0.113.9', failed: 95, isOwn: false };

test('reports that count failing mail warn about the next policy, and name the worst source', () => {
  const reported = { passed: 3_280, failed: 120, worst };
  expect(describeReports('none', reported)).toBe(
    'warning: receivers reported 120 of 3,400 emails as failing DMARC in the last 14 days, 95 of them from 203.0.113.9, so p=quarantine may hit your own mail',
  );
  expect(describeReports('quarantine', { ...reported, worst: { ...worst, isOwn: true } })).toMatch(
    /from 203\.0\.113\.9 with a return path or key of this server, so p=reject may hit/,
  );
  expect(describeReports('reject', { ...reported, worst: null })).toMatch(
    /in the last 14 days, so p=reject may hit/,
  );
});

test('little failing mail is no warning: less than five, or one in a hundred', () => {
  expect(describeReports('none', { passed: 6, failed: 4, worst })).toBe(
    'reports of 14 days: 10 emails, 60 % pass',
  );
  expect(describeReports('none', { passed: 5, failed: 5, worst })).toMatch(/^warning/);
  expect(describeReports('none', { passed: 990, failed: 10, worst })).toBe(
    'reports of 14 days: 1,000 emails, 99 % pass',
  );
  expect(describeReports('none', { passed: 989, failed: 11, worst })).toMatch(/^warning/);
});

test('100 % means all mail, and no mail at all is nobody’s failure', () => {
  expect(describeReports('none', { passed: 99_999, failed: 1, worst })).toMatch(
    /100,000 emails, 99\.9 % pass/,
  );
  expect(describeReports('none', { passed: 7, failed: 0, worst: null })).toMatch(/7 emails, 100 % pass/);
});
