/*
 * Which rule decides about an address: the most specific one that matches it. From the most specific on, an address is matched
 * by itself, by itself without its plus tag, by its domain, and by each domain above that one. Of a block and an allow with the
 * same pattern the block decides. So an allow for one address lets it through a block of its domain, and a tag does not lead
 * past a rule. What matches nothing is decided by nobody.
 */
import { domainOf, normalizeAddress, parseDomain, stripPlusTag } from '../lib/email-address.ts';

/** What decides of a rule; its direction is chosen before. */
export interface MatchingRule {
  id: string;
  kind: 'allow' | 'block';
  pattern: string;
}

/** The rule that decides about an address, of those of one workspace and one direction; null when none matches. */
export const decideRule = (rules: readonly MatchingRule[], address: string): MatchingRule | null => {
  if (rules.length === 0) return null;
  for (const pattern of patternsFor(address)) {
    const matching = rules.filter((rule) => rule.pattern === pattern);
    const block = matching.find(({ kind }) => kind === 'block');
    if (matching[0]) return block ?? matching[0];
  }
  return null;
};

/** What rules say to a mail by the senders that it names: `unverified` where an allow stands against a block. */
export type SenderVerdict = 'take' | 'block' | 'unverified';

/** Decides about each of the senders: one that is blocked blocks. An allow that stands against a block has to be verified. */
export const decideSenders = (rules: readonly MatchingRule[], senders: string[]): SenderVerdict => {
  const isBlockedBy = (some: readonly MatchingRule[]) =>
    senders.some((sender) => decideRule(some, sender)?.kind === 'block');
  if (isBlockedBy(rules)) return 'block';
  return isBlockedBy(rules.filter(({ kind }) => kind === 'block')) ? 'unverified' : 'take';
};

/** Every pattern that matches an address, the most specific first. */
export const patternsFor = (text: string): string[] => {
  const address = normalizeAddress(text);
  // A tag may be what makes a text no address: return paths carry long ones.
  const untagged = address === null ? normalizeAddress(stripPlusTag(text)) : stripPlusTag(address);
  const addresses = new Set([address, untagged].filter((each) => each !== null));
  return [...addresses, ...domainsAbove(domainFor(text))];
};

/** The domain of an address, or the nearest above it: a host with an underscore must not lead past the rules of its parents. */
const domainFor = (text: string): string => {
  let host = text.includes('@') ? domainOf(text) : '';
  while (host !== '' && parseDomain(host) === null) host = parentOf(host);
  return parseDomain(host) ?? '';
};

const domainsAbove = (domain: string): string[] => {
  const domains: string[] = [];
  for (let host = domain; host !== ''; host = parentOf(host)) domains.push(host);
  return domains;
};

const parentOf = (host: string): string => {
  const dot = host.indexOf('.');
  return dot < 0 ? '' : host.slice(dot + 1);
};
