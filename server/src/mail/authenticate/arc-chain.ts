/*
 * Authenticated Received Chain (RFC 8617). A forwarder that changes a mail breaks its signatures, so it records what it saw before, and
 * seals the record. Anybody can seal anything, so a chain counts only if its newest seal is of a forwarder that the operator trusts
 * (ADR 0024). Chains of others cost no look-up.
 */
import { parseDomain } from '../../lib/email-address.ts';
import { allValues, type HeaderField } from '../parse/read-header-fields.ts';
import { type KeyAnswers, mayCheck, namesOf, readTag } from './dkim-keys.ts';

/** One set of a chain that validates: who sealed it, and the result of DMARC that it recorded. */
export interface ChainLink {
  sealer: string;
  dmarc: { result: string; from: string } | null;
}

/** A chain that claims to be sealed by a trusted forwarder. */
export interface ClaimedChain {
  keyNames: string[];
  /** The key of the newest seal. */
  sealKeyName: string | undefined;
}

/** Domains of the forwarders that are believed, as A-labels. */
export type TrustedForwarders = ReadonlySet<string>;

/**
 * Returns the keys that a chain needs: one for each seal, and that of the newest message signature. Returns null if there is no chain, if
 * its newest seal does not name a trusted forwarder, or if it has more than ten sets, each of which may require a look-up and a
 * signature check.
 */
export function claimChain(fields: HeaderField[], trusted: TrustedForwarders): ClaimedChain | null {
  if (trusted.size === 0) return null;
  const seals = allValues(fields, 'arc-seal');
  const signatures = allValues(fields, 'arc-message-signature');
  const records = allValues(fields, 'arc-authentication-results');
  if (![seals, signatures, records].every(mayCheck)) return null;
  const newest = seals.toSorted(byInstance).at(-1);
  if (newest === undefined || !isTrusted(readTag(newest, 'd') ?? '', trusted)) return null;
  const last = signatures.toSorted(byInstance).slice(-1);
  return { keyNames: namesOf([...seals, ...last]), sealKeyName: namesOf([newest])[0] };
}

/**
 * Returns the domain of the author that trusted forwarders vouch for: the one that passed DMARC by the oldest record that only trusted
 * forwarders sealed after it. An older record does not count, because an untrusted hop may have changed the mail in between.
 */
export function vouchedAuthor(chain: ChainLink[], trusted: TrustedForwarders): string | null {
  const start = chain.findLastIndex(({ sealer }) => !isTrusted(sealer, trusted)) + 1;
  const dmarc = chain[start]?.dmarc;
  // Forwarders spell other characters in their own ways, so they may have checked another domain.
  return dmarc?.result === 'pass' && /^[!-~]+$/.test(dmarc.from) ? parseDomain(dmarc.from) : null;
}

/** Returns whether the key of the newest seal could not be had for now, so that the chain may be valid. */
export function isUnsure({ sealKeyName }: ClaimedChain, keys: KeyAnswers): boolean {
  const answer = sealKeyName === undefined ? undefined : keys[sealKeyName];
  return (
    answer !== undefined && 'code' in answer && !['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(answer.code)
  );
}

function isTrusted(domain: string, trusted: TrustedForwarders): boolean {
  return trusted.has(parseDomain(domain) ?? '');
}

function byInstance(one: string, two: string): number {
  return (Number(readTag(one, 'i')) || 0) - (Number(readTag(two, 'i')) || 0);
}
