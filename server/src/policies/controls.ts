import {
  type Disclosure,
  defaultPolicy,
  type EffectivePolicy,
  type PauseLevel,
  type Policy,
  type PolicyIn,
  type PolicyLevel,
  type PolicyLine,
  type SendMode,
  sendModes,
} from '@postrider/contract';

/** A policy that applies to a send. */
export interface PolicyInForce extends PolicyAt {
  /** The id of the workspace, the inbox or the key. */
  subject: string;
}

/** The `controls` of `find_senders`. */
export interface ControlsRow {
  version: string;
  paused: PauseLevel | null;
  /** The key that sends; null for a person and for the server. */
  key: { revoked: boolean; expires_at: string | null; read_only: boolean; out_of_scope: boolean } | null;
  policies: PolicyInForce[];
  disclosure: Disclosure;
}

/** Everything that people have set for a send. It stays the same for as long as its version does. */
export interface StoredControls extends ControlsRow {
  strictest: Strictest;
}

/** A cap of a policy, and how many mails count for it. */
export interface Cap {
  kind: 'hour' | 'day' | 'thread' | 'recipient';
  policy: PolicyInForce;
  /**
   * What mails are counted for: the subject of the policy, or that with a recipient or a thread after `>`. `{thread}` stands for the
   * thread.
   */
  subject: string;
  /** The recipient, without plus tag, whose mails are counted; null if the mails to all recipients are counted. */
  person: string | null;
  most: number;
  /** The number that already counts. */
  sent: number;
}

/** Everything that decides a send: the settings of people, and the counts for it. */
export interface Controls extends StoredControls {
  caps: Cap[];
  /** The thread that the message joins, if it is there already and a cap asks for it. */
  threadId: string | null;
  /** The recipients that wrote to the inbox before; null if no policy asks for them. */
  known: string[] | null;
}

/** Returns the controls of a row, with the strictest of their policies. */
export function withStrictest(row: ControlsRow): StoredControls {
  return { ...row, strictest: findStrictest(row.policies) };
}

/** Returns controls without policies, which do not bind what a person writes and sends. */
export function ungoverned(controls: Controls): Controls {
  return { ...controls, policies: [], caps: [], strictest: findStrictest([]) };
}

/** Returns what becomes of a message that is sent now. */
export function sendMode({ key, strictest }: Controls): SendMode {
  return key?.read_only ? 'never' : strictest.policy.send;
}

/* For each setting, the strictest value of all policies applies. */

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
/** Of equally strict places, the widest is named. */
const levels: PolicyLevel[] = ['workspace', 'inbox', 'key'];

/** Returns the strictest of each line. Lists of recipients are reduced to what all of them allow. */
export function findStrictest(places: PolicyAt[]): Strictest {
  const policy: Policy = { ...defaultPolicy };
  const from = Object.fromEntries(lines.map((line) => [line, 'default'])) as Strictest['from'];
  const widestFirst = places.toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
  for (const { level, lines: set } of widestFirst)
    for (const line of lines) {
      const value = set[line];
      if (value === undefined || !isStricter(line, value, policy[line])) continue;
      Object.assign(policy, { [line]: allowedByBoth(value, policy[line]) });
      from[line] = level;
    }
  return { policy, from };
}

/** Returns a line of a policy that allows more than the same line of another one; null if there is none. */
export function findLooserLine(policy: PolicyIn, than: PolicyIn): PolicyLine | null {
  const isLooser = (line: PolicyLine) => {
    const [value, limit] = [policy[line], than[line]];
    if (value === undefined || limit === undefined) return false;
    if (Array.isArray(value) && Array.isArray(limit)) return !value.every((one) => isWithin(one, limit));
    return isStricter(line, limit, value);
  };
  return lines.find(isLooser) ?? null;
}

/**
 * Returns a line of a policy that allows something which the policy that it replaces did not; null if there is none. A line that is left
 * out allows everything.
 */
export function findLoosenedLine(policy: PolicyIn, before: PolicyIn): PolicyLine | null {
  const after = { ...defaultPolicy, ...policy };
  // People who are known may be in no list.
  if (before.recipients === 'known' && after.recipients !== 'known') return 'recipients';
  return findLooserLine(after, before);
}

function isStricter(line: PolicyLine, value: Policy[PolicyLine], than: Policy[PolicyLine]): boolean {
  if (line === 'send') return modeRank(value) > modeRank(than);
  if (line === 'recipients') return Array.isArray(value) || (value === 'known' && than === 'anyone');
  return value !== null && (than === null || (value as number) < (than as number));
}

function modeRank(value: unknown): number {
  return (sendModes as readonly unknown[]).indexOf(value);
}

function allowedByBoth(value: Policy[PolicyLine], with_: Policy[PolicyLine]): Policy[PolicyLine] {
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
