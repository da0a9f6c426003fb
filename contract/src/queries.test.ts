import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { issuePaths } from '../test/issue-paths.ts';
import { ListEvents, ListMessages } from './index.ts';

describe('queries', () => {
  it('have a limit of 1 to 100, 25 when left out, in digits only', () => {
    expect(ListMessages.parse({}).limit).toBe(25);
    expect(ListMessages.parse({ limit: '100' }).limit).toBe(100);
    for (const limit of [
      '',
      '0',
      '101',
      '-1',
      '+5',
      '1e2',
      '1.0',
      ' 5',
      '0x5',
      'abc',
      '99999999999',
      ['1', '2'],
      { a: '1' },
      'NaN',
    ]) {
      expect(issuePaths(ListMessages, { limit }), String(limit)).toEqual(['limit']);
    }
  });

  it('wait 0 to 60 seconds', () => {
    expect(ListEvents.parse({ wait_seconds: '60' }).wait_seconds).toBe(60);
    expect(ListEvents.parse({ wait_seconds: '0' }).wait_seconds).toBe(0);
    for (const wait_seconds of ['61', '-1', '', 'yes'])
      expect(issuePaths(ListEvents, { wait_seconds })).toEqual(['wait_seconds']);
  });

  it('read true and false and nothing else', () => {
    expect(ListMessages.parse({ has_attachment: 'true' }).has_attachment).toBe(true);
    expect(ListMessages.parse({ has_attachment: 'false' }).has_attachment).toBe(false);
    for (const has_attachment of ['', '1', 'TRUE', 'yes', ['true']]) {
      expect(issuePaths(ListMessages, { has_attachment })).toEqual(['has_attachment']);
    }
  });

  it('take times that every database can hold', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        const isPlain =
          date.getTime() >= Date.parse('0001-01-01T00:00:00Z') && date.getTime() < 253_402_300_800_000;
        expect(issuePaths(ListMessages, { after: date.toISOString() })).toHaveLength(isPlain ? 0 : 1);
      }),
    );
    for (const before of ['9999-12-31T23:59:59-01:00', '0001-01-01T00:00:00+01:00']) {
      expect(issuePaths(ListMessages, { before })).toEqual(['before']);
    }
  });

  it('take an address or a domain for from and to', () => {
    expect(issuePaths(ListMessages, { from: 'ada@example.com', to: 'example.com' })).toEqual([]);
    expect(issuePaths(ListMessages, { from: 'not an address', to: '\0' })).toEqual(['from', 'to']);
  });

  it('refuse NUL in what is searched for, which no database takes', () => {
    expect(issuePaths(ListMessages, { query: 'a\0b', subject: '\0' })).toEqual(['subject', 'query']);
    expect(issuePaths(ListMessages, { query: '' })).toEqual(['query']);
    expect(issuePaths(ListMessages, { query: '用'.repeat(1_001) })).toEqual(['query']);
  });

  it('split event kinds at commas', () => {
    expect(ListEvents.parse({ events: 'message.received, message.bounced,message.received' }).events).toEqual(
      ['message.received', 'message.bounced'],
    );
    for (const events of ['', ',', 'message.opened', 'message.received,'])
      expect(issuePaths(ListEvents, { events })).not.toEqual([]);
  });

  it('never throw, whatever a query parser makes of an address line', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.string()),
      fc.dictionary(fc.string(), fc.string()),
    );
    const key = fc.constantFrom(
      ...Object.keys(ListMessages.shape),
      ...Object.keys(ListEvents.shape),
      '__proto__',
    );
    fc.assert(
      fc.property(fc.dictionary(key, value), (query) => {
        ListMessages.safeParse(query);
        ListEvents.safeParse(query);
      }),
    );
  });
});
