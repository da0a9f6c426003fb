import type { Correspondent } from '@postrider/contract/console';
import { expect, test } from 'vitest';
import { formatDay } from '../lib/times.ts';
import { listStandings } from './approval-people.tsx';

const stranger: Correspondent = {
  address: 'ada@example.com',
  name: null,
  wrote_before: false,
  proven: false,
  verified_domain: null,
  last_wrote_at: null,
  proven_at: null,
  is_new: true,
  reply_to_of: null,
};
const proven = '2025-05-03T12:00:00.000Z';
const later = '2025-06-07T12:00:00.000Z';
const writer = { ...stranger, is_new: false, wrote_before: true, last_wrote_at: later };

test('a recipient is proven by the newest mail that was, and not by a later one', () => {
  const [standing] = listStandings({
    ...writer,
    proven: true,
    proven_at: proven,
    verified_domain: 'example.com',
  });
  expect(standing).toEqual({
    level: 'proven',
    sentence: `Wrote to this inbox on ${formatDay(proven)}, proven for example.com`,
  });
});

test('mail without a proof proves nothing, and a stranger is said to be one', () => {
  expect([writer, stranger, { ...stranger, is_new: false }].map((one) => listStandings(one)[0])).toEqual([
    expect.objectContaining({ level: 'unproven', sentence: expect.stringContaining(formatDay(later)) }),
    { level: 'unknown', sentence: 'Has never written to this inbox, and has never received mail from it' },
    { level: 'unknown', sentence: 'Has never written to this inbox, but has received mail from it' },
  ]);
});

test('a recipient whom only a Reply-To names is said to be one, also if it is known', () => {
  const standings = listStandings({ ...writer, reply_to_of: 'bob@example.com' });
  expect(standings.map(({ level }) => level)).toEqual(['unproven', 'elsewhere']);
  expect(standings[1]?.sentence).toContain('bob@example.com');
});
