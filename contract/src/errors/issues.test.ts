import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { SendMessage } from '../send-message.ts';
import { asIssues } from './issues.ts';

function issues(value: unknown) {
  const result = SendMessage.safeParse(value);
  return result.success ? [] : asIssues(result.error.issues);
}

const least = { inbox_id: 'inb_1', to: ['ada@example.com'], subject: 'Hello' };

describe('asIssues', () => {
  it('says that a field is required, of the wrong type, or unknown', () => {
    expect(issues({ ...least, subject: undefined })).toEqual([{ path: 'subject', message: 'is required' }]);
    expect(issues({ ...least, subject: 7 })).toEqual([
      { path: 'subject', message: 'must be of type string, not number' },
    ]);
    expect(issues({ ...least, cco: 1, 'a.b': 2 })).toEqual([
      { path: 'cco', message: 'is not a known field' },
      { path: 'a.b', message: 'is not a known field' },
    ]);
  });

  it.each([
    [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
    [z.literal('a'), 'c', 'must be a'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.int().min(1), 0, 'must be at least 1'],
    [z.number().max(9), 10, 'must be at most 9'],
    [z.string().min(1), '', 'must have at least 1 character'],
    [z.string().max(2), 'abc', 'must have at most 2 characters'],
    [z.array(z.string()).min(1), [], 'must have at least 1 entry'],
    [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entry'],
    [z.boolean(), 'yes', 'must be of type boolean, not string'],
    [z.string().regex(/^a/), 'b', 'has the wrong form'],
    [z.string().regex(/^a/, 'must begin with a'), 'b', 'must begin with a'],
    [z.union([z.string(), z.array(z.string())]), 7, 'has the wrong form'],
  ])('has no words of the validator (%#)', (schema, value, message) => {
    const result = z.object({ field: schema }).safeParse({ field: value });
    expect(asIssues(result.error?.issues ?? [])).toEqual([{ path: 'field', message }]);
  });

  it('leads into lists and objects with dots', () => {
    const attachments = [
      { filename: 'a.txt', content_base64: 'aGk=' },
      { filename: '', content_base64: '?', size: 1 },
    ];
    expect(issues({ ...least, attachments }).map(({ path }) => path)).toEqual([
      'attachments.1.filename',
      'attachments.1.content_base64',
      'attachments.1.size',
    ]);
  });

  it('names the first 100 of many', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 1]));
    expect(issues({ ...least, ...many })).toHaveLength(100);
    const to = Array.from({ length: 50 }, () => 'nobody');
    expect(issues({ ...least, to, cc: to, bcc: to })).toHaveLength(100);
  });

  it('has an empty path for the body as a whole', () => {
    expect(issues(undefined)).toEqual([{ path: '', message: 'is required' }]);
    expect(issues([])).toEqual([{ path: '', message: 'must be of type object, not array' }]);
  });

  it('reads paths of other validators, whose parts may be objects with a key', () => {
    expect(
      asIssues([{ message: 'is wrong', path: [{ key: 'to' }, 0] }, { message: 'is wrong too' }]),
    ).toEqual([
      { path: 'to.0', message: 'is wrong' },
      { path: '', message: 'is wrong too' },
    ]);
  });
});

it('a path of megabytes is cut', () => {
  const long = 'k'.repeat(1_000_000);
  const [unknown, deep] = asIssues([
    { message: '', code: 'unrecognized_keys', keys: [long], path: ['headers'] },
    { message: 'is wrong', path: ['headers', long] },
  ]);
  expect([unknown?.path.length, deep?.path.length]).toEqual([300, 300]);
  expect(deep?.path).toMatch(/^headers\.k+…$/);
});
