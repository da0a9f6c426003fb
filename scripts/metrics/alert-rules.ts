import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A rule of `deploy/prometheus/rules.yaml`. */
export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: 'critical' | 'warning' };
  /** The summary says what is wrong, and the description what to do. */
  annotations: { summary: string; description: string };
}

/** The folder of the rules and of their tests. */
export const rulesFolder = new URL('../../deploy/prometheus/', import.meta.url);

/** Returns the rules in the order of their file. */
export function readAlertRules(): AlertRule[] {
  const { groups } = parse(readFileSync(new URL('rules.yaml', rulesFolder), 'utf8')) as {
    groups: { rules: AlertRule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}
