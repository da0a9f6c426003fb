import { expect, test } from 'vitest';
import { unstoredMailRate } from '../lib/admission/server-limits.ts';
import { systemClock } from '../lib/clock.ts';
import { createMetrics } from '../metrics.ts';
import { createVerdictNotes, type Decision } from './verdicts.ts';

const refusal = { code: 550, enhanced: '5.1.1', text: 'No such user here' };
const of = (remote_address: string) => ({ session_id: 's', remote_address, helo: null });

test('verdicts that store nothing have rows up to a rate for each client, accepted messages always have, and all count', async () => {
  const rows: Omit<Decision, 'id'>[] = [];
  const metrics = createMetrics();
  const note = createVerdictNotes({ clock: systemClock, metrics }, { add: (row) => void rows.push(row) });
  const count = unstoredMailRate.burst + 500;
  for (let n = 0; n < count; n++) note(of('203.0.113.7'), { verdict: 'refused' }, refusal);
  for (let n = 0; n < 100; n++) note(of('203.0.113.7'), { verdict: 'repeated' }, refusal);
  expect(rows.length).toBeGreaterThanOrEqual(unstoredMailRate.burst);
  expect(rows.length).toBeLessThan(unstoredMailRate.burst + 100);
  const before = rows.length;
  const ok = { code: 250, enhanced: '2.0.0', text: 'Ok' };
  for (let n = 0; n < 100; n++) note(of('203.0.113.7'), { verdict: 'accepted', message_id: 'm' }, ok);
  for (let n = 0; n < 100; n++) note(of('203.0.113.7'), { verdict: 'accepted' }, ok);
  note(of('203.0.113.8'), { verdict: 'deferred' }, refusal);
  note(of('2001:db8::1'), { verdict: 'refused' }, refusal);
  const later = rows.slice(before).map(({ verdict }) => verdict);
  expect(later.slice(0, 100)).toEqual(Array(100).fill('accepted'));
  expect(later.length).toBeLessThan(150);
  expect(later.slice(-2)).toEqual(['deferred', 'refused']);
  const counts = (await metrics.smtpVerdicts.get()).values.map(({ labels, value }) => [
    labels.verdict,
    value,
  ]);
  expect(Object.fromEntries(counts)).toMatchObject({ refused: count + 1, accepted: 200, deferred: 1 });
});
