import { expect, it } from 'vitest';
import { readState, writeState } from './use-url-state.ts';

const empty = { query: '', direction: 'all' };

it('reads the fields of a list from the address, and ignores others', () => {
  const params = new URLSearchParams('query=a%20b&workspace=wsp_1');
  expect(readState(params, empty)).toEqual({ query: 'a b', direction: 'all' });
});

it('writes only what differs from the empty list, and keeps the rest of the address', () => {
  const before = new URLSearchParams('query=a&workspace=wsp_1');
  expect(String(writeState(before, { direction: 'inbound' }, empty))).toBe(
    'query=a&workspace=wsp_1&direction=inbound',
  );
  expect(String(writeState(before, { query: '' }, empty))).toBe('workspace=wsp_1');
  expect(String(before)).toBe('query=a&workspace=wsp_1');
});
