import type { Domain } from 'postrider';
import { domainsText } from '#strings/domains.ts';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';

const tones: Record<Domain['status'], Tone> = {
  pending: 'waiting',
  verifying: 'waiting',
  verified: 'good',
  failed: 'bad',
};

/** A domain whose records are being looked for changes within minutes, and a verified one once a day. */
const lookingMs = 5_000;
const settledMs = 60_000;

/** The status of a domain as a badge. */
export function DomainStatus({ status }: Pick<Domain, 'status'>) {
  return <StatusBadge tone={tones[status]}>{domainsText.status[status]}</StatusBadge>;
}

/** Returns how many records of a domain are right. */
export function countRight({ records }: Pick<Domain, 'records'>): number {
  return records.filter(({ status }) => status === 'verified').length;
}

/** Returns after how many milliseconds pages read domains again. */
export function lookAgainMs(domains: readonly Domain[]): number {
  return domains.every(isSettled) ? settledMs : lookingMs;
}

function isSettled({ status, records }: Domain): boolean {
  return status === 'verified' && records.every((record) => record.status === 'verified');
}
