import { expect, test } from 'vitest';
import { namePeople, rowTime } from './thread-row.tsx';

const from = (
  from_addr: string,
  from_name: string | null,
  direction: 'inbound' | 'outbound' = 'inbound',
) => ({
  last_message: { id: 'msg_1', direction, from_addr, from_name, snippet: '' },
  last_writer: direction === 'inbound' ? { address: from_addr, name: from_name } : null,
});
const own = 'support@mail.example';

test('a row names the writer, and leaves the own address out', () => {
  const participants = [own, 'charles@x.example', 'ada@x.example'];
  const last = from('ada@x.example', 'Ada Lovelace');
  expect(namePeople({ participants, ...last }, own)).toBe('Ada Lovelace, charles@x.example');
});

test('a row of sent mail says that it names the recipients', () => {
  const last = from(own, 'Support', 'outbound');
  expect(namePeople({ participants: [own, 'ada@x.example'], ...last }, own)).toBe('To ada@x.example');
});

test('a person keeps the name after a reply, and the row says who wrote last', () => {
  const { last_message } = from(own, 'Support', 'outbound');
  const last_writer = { address: 'ada@x.example', name: 'Ada Lovelace' };
  const participants = [own, 'charles@x.example', 'ada@x.example'];
  expect(namePeople({ participants, last_message, last_writer }, own)).toBe(
    'charles@x.example, Ada Lovelace, me',
  );
});

test('a row does not name the own address while it is not known which one that is', () => {
  const participants = [own, 'ada@x.example'];
  expect(namePeople({ participants, ...from('ada@x.example', null) }, null)).toBe('ada@x.example');
  const sent = from(own, null, 'outbound');
  expect(namePeople({ participants, ...sent }, null)).toBe('To ada@x.example');
});

test('a row counts the people that it does not name', () => {
  const participants = ['a@x', 'b@x', 'c@x', 'd@x', 'e@x'];
  expect(namePeople({ participants, ...from('a@x', null) }, own)).toBe('a@x, b@x, c@x +2');
});

test('a note to oneself has a name, too', () => {
  expect(namePeople({ participants: [own], ...from(own, null, 'outbound') }, own)).toBe('me');
});

test('a time is an hour today, a day this year and a date before', () => {
  const now = new Date(2026, 10, 28, 18, 0).getTime();
  const at = (...parts: [number, number, number, number?]) => rowTime(new Date(...parts).toISOString(), now);
  expect(at(2026, 10, 28, 9)).toMatch(/9/);
  expect(at(2026, 10, 28, 9)).not.toMatch(/28/);
  expect(at(2026, 10, 27)).toMatch(/27/);
  expect(at(2026, 10, 27)).not.toMatch(/26/);
  expect(at(2024, 10, 27)).toMatch(/24/);
});
