import { getDomain } from 'tldts';

/** Returns the domain that a DNS provider has as a zone for a hostname, by the Public Suffix List. */
export function zoneOf(hostname: string): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}

/** Returns a name as it is entered in the form of a DNS provider, which appends the zone: `_dmarc`, or `@` for the zone itself. */
export function relativeName(name: string, zone: string): string {
  return name === zone ? '@' : name.slice(0, -(zone.length + 1));
}
