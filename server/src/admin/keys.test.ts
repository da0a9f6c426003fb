import { expect, test } from 'vitest';
import { readPolicyText } from './keys.ts';

test.each([
  ['send=approve,per_hour=10', { send: 'approve', per_hour: 10 }],
  ['recipients=known, recipients_max=3', { recipients: 'known', recipients_max: 3 }],
  [
    'recipients=ada@example.com,example.org,per_day=5',
    { recipients: ['ada@example.com', 'example.org'], per_day: 5 },
  ],
  ['recipients=example.org', { recipients: ['example.org'] }],
  ['none', {}],
])('a policy is written as %s', (text, lines) => {
  expect(readPolicyText(text)).toEqual(lines);
});

test.each(['', 'approve', 'send=', 'send=approve,never', 'send=approve,,per_hour=1'])(
  'a policy is not written as "%s"',
  (text) => {
    expect(() => readPolicyText(text)).toThrow();
  },
);
