import type { Finding } from '@postrider/contract/console';

/** The findings about one part of the server. */
export interface Part {
  name: string;
  findings: Finding[];
}

const urgency: Record<Finding['state'], number> = { problem: 0, note: 1, ok: 2 };

/** Groups findings by part. Parts with problems come first, then those with notes, and the same within each part. */
export function groupFindings(findings: readonly Finding[]): Part[] {
  const names = [...new Set(findings.map(({ part }) => part))];
  return names
    .map((name) => ({ name, findings: sorted(findings.filter(({ part }) => part === name)) }))
    .sort((a, b) => greatestUrgency(a) - greatestUrgency(b));
}

/** Returns how many findings are in a state. */
export function countIn(findings: readonly Finding[], state: Finding['state']): number {
  return findings.filter((finding) => finding.state === state).length;
}

function sorted(findings: Finding[]): Finding[] {
  return findings.toSorted((a, b) => urgency[a.state] - urgency[b.state]);
}

function greatestUrgency({ findings }: Part): number {
  return Math.min(...findings.map(({ state }) => urgency[state]));
}
