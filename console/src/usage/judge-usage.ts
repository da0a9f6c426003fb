import type { UsageDay } from '@postrider/contract/console';

/** A field of a day that is counted. */
export type Counted = Exclude<keyof UsageDay, 'day'>;

/** The level of usage: `near` from 80 per cent, `full` at the limit. */
export type Fullness = 'fine' | 'near' | 'full';

const nearShare = 0.8;

/** Returns how full something is. A limit of zero is full at once. */
export function judgeFullness(used: number, limit: number): Fullness {
  if (used >= limit) return 'full';
  return used >= limit * nearShare ? 'near' : 'fine';
}

/** Returns the used share of a limit, at most 1. */
export function usedShare(used: number, limit: number): number {
  return limit === 0 ? 1 : Math.min(1, used / limit);
}

/** Returns the total of a field over days. */
export function sumDays(days: UsageDay[], field: Counted): number {
  return days.reduce((total, day) => total + day[field], 0);
}

/** A share of mails, and what providers think of it. */
export interface Rate {
  count: number;
  all: number;
  share: number;
  verdict: 'none' | 'few' | 'good' | 'bad';
}

/** The share from which providers object, and the mails below which one more or less decides too much. */
const bounces = { shareMax: 0.05, mailsMin: 100 };
const complaints = { shareMax: 0.001, mailsMin: 1_000 };

/** Returns the share of bounces among the mails with an outcome. Providers look at accounts from 5 per cent on. */
export function bounceRate(days: UsageDay[]): Rate {
  const bounced = sumDays(days, 'bounced');
  return judgeRate(bounced, bounced + sumDays(days, 'delivered'), bounces);
}

/** Returns the share of complaints among delivered mails. Providers want less than 0.1 per cent. */
export function complaintRate(days: UsageDay[]): Rate {
  return judgeRate(sumDays(days, 'complained'), sumDays(days, 'delivered'), complaints);
}

function judgeRate(count: number, all: number, { shareMax, mailsMin }: typeof bounces): Rate {
  if (all === 0) return { count, all, share: 0, verdict: 'none' };
  const share = Math.min(1, count / all);
  if (all < mailsMin) return { count, all, share, verdict: 'few' };
  return { count, all, share, verdict: share < shareMax ? 'good' : 'bad' };
}
