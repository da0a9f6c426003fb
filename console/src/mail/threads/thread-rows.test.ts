import type { ThreadSummary } from '@postrider/contract/console';
import { expect, test } from 'vitest';
import {
  appendPage,
  changeRows,
  countNewer,
  countShift,
  dropRows,
  mergeHead,
  patchRow,
  restoreRow,
} from './thread-rows.ts';

function row(id: string, minute: number, count = 1): ThreadSummary {
  return {
    id,
    inbox_id: 'inb_1',
    subject: id,
    participants: [],
    message_count: count,
    last_message_at: new Date(minute * 60_000).toISOString(),
    created_at: new Date(0).toISOString(),
    labels: [],
    unread_count: 0,
    last_message: { id: 'msg_1', direction: 'inbound', from_addr: 'a@x', from_name: null, snippet: '' },
    last_writer: { address: 'a@x', name: null },
    has_attachments: false,
    sent_status: null,
  };
}
const ids = ({ rows }: { rows: readonly ThreadSummary[] }) => rows.map(({ id }) => id);
const known = { rows: [row('d', 4), row('c', 3), row('b', 2), row('a', 1)], next_cursor: 'after a' };

test('new mail comes to the top, and the older rows stay with their cursor', () => {
  const merged = mergeHead(known, { threads: [row('e', 5), row('d', 4)], next_cursor: 'after d' });
  expect(ids(merged)).toEqual(['e', 'd', 'c', 'b', 'a']);
  expect(merged.next_cursor).toBe('after a');
});

test('a thread with new mail leaves its old place', () => {
  const merged = mergeHead(known, { threads: [row('b', 9, 2), row('d', 4)], next_cursor: 'after d' });
  expect(ids(merged)).toEqual(['b', 'd', 'c', 'a']);
  expect(merged.rows[0]?.message_count).toBe(2);
});

test('a thread that was deleted within the first page is gone', () => {
  const merged = mergeHead(known, { threads: [row('d', 4), row('b', 2)], next_cursor: 'after b' });
  expect(ids(merged)).toEqual(['d', 'b', 'a']);
});

test('a first page that is the whole list is the whole truth', () => {
  expect(mergeHead(known, { threads: [row('d', 4)], next_cursor: null })).toEqual({
    rows: [row('d', 4)],
    next_cursor: null,
  });
  expect(ids(mergeHead(known, { threads: [], next_cursor: null }))).toEqual([]);
});

test('more new threads than a page holds begin the list anew, since there may be others in between', () => {
  const head = { threads: [row('z', 99), row('y', 98)], next_cursor: 'after y' };
  expect(mergeHead(known, head)).toEqual({ rows: head.threads, next_cursor: 'after y' });
});

test('threads with the same time are ordered by their ids', () => {
  const same = { rows: [row('c', 1), row('b', 1), row('a', 1)], next_cursor: null };
  const merged = mergeHead(same, { threads: [row('c', 1), row('b', 1)], next_cursor: 'after b' });
  expect(ids(merged)).toEqual(['c', 'b', 'a']);
});

test('a row that did not change stays the same object', () => {
  const merged = mergeHead(known, { threads: [row('e', 5), row('d', 4)], next_cursor: 'x' });
  expect(merged.rows[1]).toBe(known.rows[0]);
});

test('a further page adds only threads that are not there', () => {
  const more = appendPage(known, { threads: [row('a', 1), row('0', 0)], next_cursor: null });
  expect(ids(more)).toEqual(['d', 'c', 'b', 'a', '0']);
  expect(more.next_cursor).toBeNull();
});

test('a change reaches only the rows that are named', () => {
  const changed = changeRows(known, new Set(['c']), (one) => ({ ...one, unread_count: 7 }));
  expect(changed.rows.map(({ unread_count }) => unread_count)).toEqual([0, 7, 0, 0]);
  expect(changed.rows[0]).toBe(known.rows[0]);
});

test('the place of a reader moves with the rows, and not with a row that moved to the top', () => {
  const before = [row('d', 4), row('c', 3), row('b', 2), row('a', 1)];
  expect(countShift(before, [row('e', 5), ...before], 1)).toBe(1);
  const [d, c, b, a] = before as [ThreadSummary, ThreadSummary, ThreadSummary, ThreadSummary];
  expect(countShift(before, [b, d, c, a], 2)).toBe(0);
  expect(countShift(before, [c, b, a], 1)).toBe(-1);
  expect(countShift(before, [row('z', 9)], 1)).toBe(0);
});

test('deleted threads are gone from further down, and the next page is still the same', () => {
  const left = dropRows(known, new Set(['b', 'c', 'x']));
  expect(ids(left)).toEqual(['d', 'a']);
  expect(left.next_cursor).toBe('after a');
  expect(ids(mergeHead(left, { threads: [row('e', 5), row('d', 4)], next_cursor: 'x' }))).toEqual([
    'e',
    'd',
    'a',
  ]);
});

test('after a failed change a row is as it was, and the others keep what happened meanwhile', () => {
  const read = changeRows(known, new Set(['b', 'c']), (one) => ({ ...one, unread_count: 7 }));
  const after = restoreRow(read, known, 'b');
  expect(after.rows.map(({ unread_count }) => unread_count)).toEqual([0, 7, 0, 0]);
  expect(restoreRow(dropRows(known, new Set(['b'])), known, 'b').rows).toHaveLength(3);
  expect(restoreRow(known, undefined, 'b')).toBe(known);
});

test('a thread that was read by itself brings its row up to date', () => {
  const message = (id: string, fields: object) => ({
    id,
    direction: 'inbound',
    from_addr: 'a@x',
    from_name: 'A',
    snippet: id,
    read: true,
    recipients: [],
    ...fields,
  });
  const sent = { direction: 'outbound', recipients: [{ status: 'delivered' }, { status: 'bounced' }] };
  const messages = [message('msg_1', { read: false }), message('msg_2', sent), message('msg_3', {})];
  const { labels: _, ...fields } = row('b', 9, 3);
  const label = { id: 'lbl_1', name: 'Paid', color: null };
  const thread = { ...fields, labels: [label], messages, messages_truncated: false } as never;
  const patched = patchRow(row('b', 2), thread);
  expect(patched).toMatchObject({
    unread_count: 1,
    message_count: 3,
    sent_status: 'bounced',
    labels: [label],
  });
  expect(patched.last_message).toEqual({
    id: 'msg_3',
    direction: 'inbound',
    from_addr: 'a@x',
    from_name: 'A',
    snippet: 'msg_3',
  });
  expect(patched.last_writer).toEqual({ address: 'a@x', name: 'A' });
  expect(patched).not.toHaveProperty('messages');
});

test('only threads with newer mail count as newer, and not one that only comes back', () => {
  const before = known.rows;
  const newest = before[0]?.last_message_at ?? '';
  expect(countNewer([row('e', 5), ...before], newest)).toBe(1);
  expect(countNewer(before, newest)).toBe(0);
  expect(countNewer([], newest)).toBe(0);
  expect(countNewer(before, '')).toBe(4);
});
