import type { Row } from '../trial.ts';
import type { AttackReport } from './attack.ts';
import { eventsP99, holds, type Judgement, memoryGrowth, type Seen } from './judge.ts';

const mib = 1_048_576;
const countsMax = 6;

/** Returns the row of a table for one attack. */
export function makeRow(attack: string, seen: Seen, judgements: Judgement[], isLong: boolean): Row {
  const { probe, honest, watched } = seen;
  const { mailAccounts, sendAccounts, eventAccounts } = honest;
  const accounts = [mailAccounts, sendAccounts, eventAccounts];
  const count = (kind: 'lost' | 'twice') => accounts.reduce((sum, account) => sum + account[kind].length, 0);
  const largest = Math.max(0, ...Object.values(seen.attacks).map(({ largestBytes }) => largestBytes));
  return {
    attack,
    'probe p50': probe.p50,
    'probe p99': probe.p99,
    'probe longest': probe.longest,
    'probes failed': `${probe.failed} of ${probe.count + probe.failed}`,
    'mail taken p99': honest.taken.p99,
    'mail taken longest': honest.taken.longest,
    'mail readable p99': honest.readable.p99,
    'mail readable longest': honest.readable.longest,
    'others p99': honest.requests.p99,
    'events p99': eventsP99(honest),
    'others failed': Object.values(honest.failures).reduce((sum, value) => sum + value, 0),
    'never taken': honest.mailsNeverTaken + honest.sendsNeverAnswered,
    lost: count('lost'),
    twice: count('twice'),
    'RSS MB': watched.rssMb,
    ...(isLong ? { 'MB a minute': memoryGrowth(watched) } : {}),
    descriptors: watched.descriptors,
    'idle after 120 s': watched.idleConnections,
    'largest answer MB': Math.round((largest / mib) * 10) / 10,
    ended: seen.ended > 0 ? 'yes' : seen.answersAfterwards ? 'no' : 'hangs',
    broken: judgements.filter((judgement) => !holds(judgement)).length,
    'what it got': Object.entries(seen.attacks)
      .map(([name, report]) => describe(Object.keys(seen.attacks).length > 1 ? `${name}: ` : '', report))
      .join('; '),
  };
}

function describe(before: string, { counts, error }: AttackReport): string {
  const most = Object.entries(counts)
    .sort((a, b) => b[1] - a[1])
    .slice(0, before ? 2 : countsMax)
    .map(([what, count]) => `${what} × ${count}`);
  return `${before}${[...most, ...(error ? [error] : [])].join(', ') || 'nothing'}`;
}
