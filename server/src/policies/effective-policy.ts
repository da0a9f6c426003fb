/* Of the policies at several places the strictest holds, line by line. */
import {
  defaultPolicy,
  type EffectivePolicy,
  type Policy,
  type PolicyIn,
  type PolicyLevel,
  type PolicyLine,
  sendModes,
} from '@postrider/contract';

/** The lines that are set at one place. */
export interface PolicyAt {
  level: PolicyLevel;
  lines: PolicyIn;
}

type Source = EffectivePolicy['from'][PolicyLine];

/** The strictest lines, and where each is set. */
export interface Strictest {
  policy: Policy;
  from: Record<PolicyLine, Source>;
}

const lines = Object.keys(defaultPolicy) as PolicyLine[];
/** Of places that are equally strict the widest is named. */
const levels: PolicyLevel[] = ['workspace', 'inbox', 'key'];

/** Returns the strictest of each line. Lists of recipients are reduced to what all of them allow. */
export function strictestOf(places: PolicyAt[]): Strictest {
  const policy: Policy = { ...defaultPolicy };
  const from = Object.fromEntries(lines.map((line) => [line, 'default'])) as Strictest['from'];
  const widestFirst = places.toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
  for (const { level, lines: set } of widestFirst)
    for (const line of lines) {
      const value = set[line];
      if (value === undefined || !isStricter(line, value, policy[line])) continue;
      Object.assign(policy, { [line]: bothOf(value, policy[line]) });
      from[line] = level;
    }
  return { policy, from };
}

function isStricter(line: PolicyLine, value: Policy[PolicyLine], than: Policy[PolicyLine]): boolean {
  if (line === 'send') return rankOf(value) > rankOf(than);
  if (line === 'recipients') return Array.isArray(value) || (value === 'known' && than === 'anyone');
  return value !== null && (than === null || (value as number) < (than as number));
}

function rankOf(value: unknown): number {
  return (sendModes as readonly unknown[]).indexOf(value);
}

function bothOf(value: Policy[PolicyLine], with_: Policy[PolicyLine]): Policy[PolicyLine] {
  if (!Array.isArray(value) || !Array.isArray(with_)) return value;
  return [
    ...value.filter((one) => isWithin(one, with_)),
    ...with_.filter((one) => isWithin(one, value)),
  ].filter((one, index, all) => all.indexOf(one) === index);
}

/** Returns whether each address that a pattern matches is matched by one of some patterns. */
function isWithin(pattern: string, patterns: string[]): boolean {
  const domain = pattern.slice(pattern.lastIndexOf('@') + 1);
  return patterns.some((other) => other === pattern || other === domain || domain.endsWith(`.${other}`));
}
