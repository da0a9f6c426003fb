import fc from 'fast-check';

/** A rule as a user writes it. */
export interface WrittenRule {
  kind: 'allow' | 'block';
  direction: 'inbound' | 'outbound' | 'both';
  pattern: Spelled;
}

/** A spelling of a mailbox or domain, with what is known of it without the code under test. */
export interface Spelled {
  text: string;
  /** Null for a bare domain. */
  local: { is: string; untagged: string } | null;
  domain: string;
}

const locals = [
  ['ada', 'ada', 'ada'],
  ['ADA', 'ada', 'ada'],
  ['"ada"', 'ada', 'ada'],
  ['ada+news', 'ada+news', 'ada'],
  ['Ada+News', 'ada+news', 'ada'],
  ['"ada+news"', 'ada+news', 'ada'],
  ['ada+news+old', 'ada+news+old', 'ada'],
  ['bob', 'bob', 'bob'],
  ['+bob', '+bob', '+bob'],
  ['"bob the"', '"bob the"', '"bob the"'],
  ['"bob+the one"', '"bob+the one"', '"bob+the one"'],
  ['"ad\\a"', 'ada', 'ada'],
  ['zoë', 'zoë', 'zoë'],
  ['ZOE\u0308', 'zoë', 'zoë'],
  ['zoë+x', 'zoë+x', 'zoë'],
] as const;

const domains = [
  ['example', 'example'],
  ['x.example', 'x.example'],
  ['X.Example', 'x.example'],
  ['xx.example', 'xx.example'],
  ['a.x.example', 'a.x.example'],
  ['b.a.X.EXAMPLE', 'b.a.x.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['mail.bücher.example', 'mail.xn--bcher-kva.example'],
  ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
] as const;

/** An address in one of its spellings. */
export const anyAddress: fc.Arbitrary<Spelled> = fc
  .tuple(fc.constantFrom(...locals), fc.constantFrom(...domains))
  .map(([[text, is, untagged], [host, domain]]) => ({
    text: `${text}@${host}`,
    local: { is, untagged },
    domain,
  }));

const anyDomain: fc.Arbitrary<Spelled> = fc
  .constantFrom(...domains)
  .map(([text, domain]) => ({ text, local: null, domain }));

/** Rules of a workspace, not all of them different. */
export const anyRules: fc.Arbitrary<WrittenRule[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('allow', 'block'),
    direction: fc.constantFrom('inbound', 'outbound', 'both'),
    pattern: fc.oneof(anyAddress, anyDomain),
  }),
  { maxLength: 24 },
);

/** Returns the decision of the rules of one direction about an address, by a check of each rule; null if none matches. */
export function modelDecision(
  rules: WrittenRule[],
  direction: 'inbound' | 'outbound',
  address: Spelled,
): 'allow' | 'block' | null {
  let best = 0;
  let kind: 'allow' | 'block' | null = null;
  for (const rule of rules) {
    if (rule.direction !== direction && rule.direction !== 'both') continue;
    const weight = weigh(rule.pattern, address);
    if (weight === 0 || weight < best) continue;
    if (weight > best) kind = null;
    best = weight;
    if (kind !== 'block') kind = rule.kind;
  }
  return kind;
}

const addressWeight = 1_000;

/**
 * Returns how closely a pattern names an address, or 0 if it does not. An address weighs more than any domain, and a longer domain more
 * than a shorter one.
 */
function weigh(pattern: Spelled, { local, domain }: Spelled): number {
  if (pattern.local === null)
    return domain === pattern.domain || domain.endsWith(`.${pattern.domain}`) ? pattern.domain.length : 0;
  if (local === null || domain !== pattern.domain) return 0;
  if (pattern.local.is === local.is) return addressWeight + 1;
  return pattern.local.is === local.untagged ? addressWeight : 0;
}
