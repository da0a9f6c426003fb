import { getDomain } from 'tldts';
import { parseDomain } from '../../lib/email-address.ts';
import type { CheckedSignature } from './verify-signatures.ts';

/** The result of a check, in the words of RFC 8601. */
export type AuthenticationResult =
  | 'pass'
  | 'fail'
  | 'softfail'
  | 'neutral'
  | 'policy'
  | 'none'
  | 'temperror'
  | 'permerror';

const severity: AuthenticationResult[] = [
  'pass',
  'temperror',
  'fail',
  'policy',
  'permerror',
  'neutral',
  'none',
];

/** Returns the result with this name, or `neutral` if RFC 8601 has no such name. */
export function readResult(text: string): AuthenticationResult {
  return [...severity, 'softfail' as const].find((result) => result === text) ?? 'neutral';
}

/** Returns one result for all signatures of a mail: `pass` if one of them passes, otherwise the most significant one. */
export function summarizeSignatures(signatures: CheckedSignature[]): AuthenticationResult {
  const results = signatures.map(({ result, comment }) => {
    if (result !== 'neutral') return readResult(result);
    // By RFC 6376, section 6.1, these are permanent failures, although the library calls them neutral.
    if (comment === 'body hash did not verify') return 'fail';
    return /key/.test(comment) ? 'permerror' : 'neutral';
  });
  return severity.find((result) => results.includes(result)) ?? 'none';
}

/** Returns the domain of an address as A-labels, or null if it has none. */
export function domainOfAddress(address: string | null): string | null {
  return address === null ? null : parseDomain(address.slice(address.lastIndexOf('@') + 1));
}

/**
 * Returns whether one of the domains aligns with the author's in relaxed mode (RFC 7489, section 3.1): both belong to the same organisation
 * by the Public Suffix List.
 */
export function aligns(author: string, domains: string[]): boolean {
  const organization = (host: string) => getDomain(host, { allowPrivateDomains: true }) ?? host;
  return domains.some((text) => {
    const domain = parseDomain(text);
    return domain !== null && organization(domain) === organization(author);
  });
}
