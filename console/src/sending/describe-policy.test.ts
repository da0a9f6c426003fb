import { carefulPolicy as contractCareful, defaultPolicy, type EffectivePolicy } from '@postrider/contract';
import { expect, test } from 'vitest';
import { carefulPolicy, describeLine, policyLines, shortValue, summarizePolicy } from './describe-policy.tsx';

const policy = (lines: Partial<EffectivePolicy>): EffectivePolicy => ({
  ...defaultPolicy,
  from: {} as EffectivePolicy['from'],
  places: { key: {}, inbox: {}, workspace: {} },
  paused: null,
  read_only: false,
  access: 'workspace',
  inbox_ids: null,
  expires_at: null,
  ...lines,
});

test('the careful defaults are those of the contract', () => {
  expect(carefulPolicy).toEqual(contractCareful);
});

test('a policy that holds nothing back has no words', () => {
  expect(summarizePolicy({})).toEqual([]);
  expect(policyLines.map((line) => shortValue(line, defaultPolicy))).toEqual(policyLines.map(() => null));
  expect(policyLines.map((line) => describeLine(line, policy({})))).toEqual(policyLines.map(() => null));
});

test('each line that holds something back has a short value and a sentence', () => {
  const strict = policy({
    send: 'approve',
    recipients: 'known',
    per_hour: 20,
    per_day: 100,
    per_thread_hour: 1,
    per_recipient_day: 5,
    recipients_max: 1,
  });
  expect(policyLines.map((line) => shortValue(line, strict))).toEqual([
    'People approve',
    'Known',
    '20',
    '100',
    '1',
    '5',
    '1',
  ]);
  expect(describeLine('per_thread_hour', strict)).toBe('At most 1 email per hour in one thread.');
  expect(describeLine('recipients_max', strict)).toBe('At most 1 recipient per message.');
});

test('a cap of zero is a cap, and an empty list is nobody', () => {
  expect(summarizePolicy({ per_hour: 0, recipients: [] })).toEqual(['Nobody', '0 per hour']);
  expect(describeLine('recipients', policy({ recipients: [] }))).toBe('Mail cannot be sent to anyone.');
});

test('a long list is cut', () => {
  const recipients = ['a.example', 'b.example', 'c.example', 'd.example', 'e.example'];
  expect(describeLine('recipients', policy({ recipients }))).toBe(
    'Mail can be sent only to a.example, b.example, c.example and 2 more.',
  );
});
