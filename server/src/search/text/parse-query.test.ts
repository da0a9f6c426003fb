import { describe, expect, test } from 'vitest';
import { parseQuery } from './parse-query.ts';

describe('parseQuery', () => {
  test('finds words, phrases, excluded words and operators', () => {
    const parsed = parseQuery('from:ada@example.com "weekly report" -refund has:attachment is:inbound inv');
    expect(parsed.from).toEqual([{ value: 'ada@example.com', phrase: false, not: false }]);
    expect(parsed).toMatchObject({ hasAttachment: true, direction: 'inbound', text: 'weekly report inv' });
    expect(parsed.terms).toMatchObject([
      { kind: 'phrase', words: ['weekly', 'report'] },
      { kind: 'word', words: ['refund'], not: true },
      { kind: 'word', words: ['inv'], prefix: true },
    ]);
  });

  test('takes a compound for its parts or the whole', () => {
    expect(parseQuery('INV-2026-0419').terms).toMatchObject([
      { kind: 'phrase', words: ['inv', '2026', '0419'], whole: 'inv20260419' },
    ]);
  });

  test('refuses a date that does not exist', () => {
    expect(() => parseQuery('after:2026-02-30')).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        extra: { issues: [{ path: 'query', message: expect.stringContaining('after:2026-03-01') }] },
      }),
    );
  });
});
