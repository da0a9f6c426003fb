/*
 * The most specific rule that matches an address decides about it. The patterns of an address, from the most specific on, are the address,
 * the address without its plus tag, its domain, and each domain above that. If a block and an allow have the same pattern, the block
 * decides. So an allow for one address exempts it from a block of its domain, and a tag does not avoid a rule. If no rule matches, none
 * decides.
 */

import { sql } from 'kysely';
import { batchedQuery } from '../db/batched.ts';
import { prepared } from '../db/prepared.ts';
import { domainOf, normalizeAddress, parseDomain, stripPlusTag } from '../lib/email-address.ts';

/** The fields of a rule that decide. Its direction is matched before. */
export interface MatchingRule {
  id: string;
  kind: 'allow' | 'block';
  pattern: string;
}

/** Returns the rule that decides about an address, among those of one workspace and one direction; null if none matches. */
export function decideRule(rules: readonly MatchingRule[], address: string): MatchingRule | null {
  if (rules.length === 0) return null;
  for (const pattern of patternsFor(address)) {
    const matching = rules.filter((rule) => rule.pattern === pattern);
    const block = matching.find(({ kind }) => kind === 'block');
    if (matching[0]) return block ?? matching[0];
  }
  return null;
}

/** The decision about a mail by the senders that it names: `unverified` if an allow overrides a block. */
export type SenderVerdict = 'take' | 'block' | 'unverified';

/** Decides about all senders of a mail: one blocked sender blocks it. An allow that overrides a block has to be verified. */
export function decideSenders(rules: readonly MatchingRule[], senders: string[]): SenderVerdict {
  const isBlockedBy = (some: readonly MatchingRule[]) =>
    senders.some((sender) => decideRule(some, sender)?.kind === 'block');
  if (isBlockedBy(rules)) return 'block';
  return isBlockedBy(rules.filter(({ kind }) => kind === 'block')) ? 'unverified' : 'take';
}

/** Returns every pattern that matches an address, the most specific first. */
export function patternsFor(text: string): string[] {
  const address = normalizeAddress(text);
  // A tag may be the reason that a text is no address: return paths have long ones.
  const untagged = address === null ? normalizeAddress(stripPlusTag(text)) : stripPlusTag(address);
  const addresses = new Set([address, untagged].filter((each) => each !== null));
  return [...addresses, ...domainsAbove(domainFor(text))];
}

/**
 * Returns the domain of an address, or the nearest valid one above it: a host with an underscore must not avoid the rules of its parents.
 */
function domainFor(text: string): string {
  let host = text.includes('@') ? domainOf(text) : '';
  while (host !== '' && parseDomain(host) === null) host = parentDomain(host);
  return parseDomain(host) ?? '';
}

function domainsAbove(domain: string): string[] {
  const domains: string[] = [];
  for (let host = domain; host !== ''; host = parentDomain(host)) domains.push(host);
  return domains;
}

function parentDomain(host: string): string {
  const dot = host.indexOf('.');
  return dot < 0 ? '' : host.slice(dot + 1);
}

/** The workspace of a mail, and the senders that the mail names. */
interface NamedSenders {
  workspaceId: string;
  senders: string[];
}

/** Returns the inbound rules of a workspace that match any of the senders. */
export const findInboundRules = batchedQuery(
  async (ctx, asked: NamedSenders[]): Promise<MatchingRule[][]> => {
    const requests = asked.map(({ workspaceId, senders }) => ({
      workspace_id: workspaceId,
      patterns: [...new Set(senders.flatMap(patternsFor))],
    }));
    const rows = await selectRules(ctx, { requests: JSON.stringify(requests) });
    return rows.map(({ rules }) => rules);
  },
);

const selectRules = prepared((db, { requests }: { requests: string }) =>
  sql<{ rules: MatchingRule[] }>`select
    (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'pattern', pattern)), '[]') from rules
      where workspace_id = r->>'workspace_id' and direction <> 'outbound'
      and pattern = any(array(select jsonb_array_elements_text(r->'patterns')))) as rules
    from jsonb_array_elements(${requests}::jsonb) with ordinality as asked(r, place) order by place`.compile(
    db,
  ),
);
