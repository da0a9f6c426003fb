import { expect, test } from 'vitest';
import { isAutoSubmitted } from './auto-submitted.ts';

const field = (line: string) => {
  const colon = line.indexOf(':');
  return { name: line.slice(0, colon).toLowerCase(), value: line.slice(colon + 1).trim() };
};

test.each([
  'Auto-Submitted: auto-replied',
  'Auto-Submitted: auto-generated (by a cron job)',
  'Auto-Submitted: auto-notified; owner-email="a@b.c"',
  'Auto-Submitted: (comment) Auto-Replied',
  'Auto-Submitted: some-extension',
  'Precedence: bulk',
  'Precedence: LIST',
  'Precedence: junk',
  'Precedence: auto_reply',
  'List-Id: <list.example.com>',
  'List-Unsubscribe: <https://example.com/u>',
  'List-Post: NO',
])('%s is a sign of automatic mail', (line) => {
  expect(isAutoSubmitted([field('Subject: x'), field(line)], 'a@b.c')).toBe(true);
});

test.each([
  'Auto-Submitted: no',
  'Auto-Submitted: No (a person wrote this)',
  'Auto-Submitted: no; x=y',
  'Auto-Submitted:',
  'Precedence: first-class',
  'Precedence: special-delivery',
  'X-Auto-Response-Suppress: All',
  'List-Id:',
  'X-List: x',
  'List-Nonsense: x',
])('%s is none', (line) => {
  expect(isAutoSubmitted([field(line)], 'a@b.c')).toBe(false);
});

test('the null sender is automatic, an unknown sender is not', () => {
  expect(isAutoSubmitted([], '')).toBe(true);
  expect(isAutoSubmitted([], null)).toBe(false);
});
