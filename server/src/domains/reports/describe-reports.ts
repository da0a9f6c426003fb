import type { DmarcPolicy } from '@postrider/contract';
import { type ReportedMail, shownDays } from './reported-mail.ts';

/** Less failing mail than this is likely to be a forger's or a forwarder's. */
const failedMin = 5;
const failedShareMin = 0.01;
const nextPolicy: Record<DmarcPolicy, DmarcPolicy> = {
  none: 'quarantine',
  quarantine: 'reject',
  reject: 'reject',
};

/** Returns what reports say about the next policy of a domain: a warning if it would hit more than 1 % of the mail. */
export function describeReports(policy: DmarcPolicy, { passed, failed, worst }: ReportedMail): string {
  const mails = passed + failed;
  if (failed < failedMin || failed <= mails * failedShareMin)
    return `reports of ${shownDays} days: ${count(mails)} mails, ${percent(passed, mails)} % pass`;
  const source = worst
    ? `, ${count(worst.failed)} of them from ${worst.source}${worst.isOwn ? ' with a return path or key of this server' : ''}`
    : '';
  return `warning: receivers reported ${count(failed)} of ${count(mails)} mails as failing DMARC in the last ${shownDays} days${source}, so p=${nextPolicy[policy]} may hit your own mail`;
}

function count(mails: number): string {
  return mails.toLocaleString('en-US');
}

/** Rounds down, so that 100 means all. */
function percent(part: number, whole: number): number {
  return Math.floor((part / whole) * 1_000) / 10;
}
