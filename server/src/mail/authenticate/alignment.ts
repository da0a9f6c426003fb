import { getDomain } from 'tldts';
import { parseDomain } from '../../lib/email-address.ts';

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
