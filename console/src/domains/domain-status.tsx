import type { Domain } from 'postrider';
import { domainsText } from '#strings/domains.ts';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';

const tones: Record<Domain['status'], Tone> = {
  pending: 'waiting',
  verifying: 'waiting',
  verified: 'good',
  failed: 'bad',
};

/** The status of a domain as a badge. */
export function DomainStatus({ status }: Pick<Domain, 'status'>) {
  return <StatusBadge tone={tones[status]}>{domainsText.status[status]}</StatusBadge>;
}

/** Returns how many records of a domain are right. */
export function countRight({ records }: Pick<Domain, 'records'>): number {
  return records.filter(({ status }) => status === 'verified').length;
}
