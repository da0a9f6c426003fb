import { parseDomain } from '../../lib/email-address.ts';
import { domainOfAddress } from './alignment.ts';
import type { DnsResolve } from './ask-dns.ts';
import { type AuthenticationResult, readResult } from './authentication-result.ts';
import type { CheckedContent } from './check-content.ts';
import type { CheckedEnvelope } from './check-envelope.ts';

/** The result of DMARC. */
export interface CheckedAuthor {
  result: AuthenticationResult;
  /** The domain whose policy asks to reject the mail, or null. */
  rejectedBy: string | null;
}

/** Loads the part of mailauth that checks DMARC, since all of it takes three times as long to load. */
export async function loadDmarc() {
  return (await import('mailauth/lib/dmarc/index.js')).evaluateDmarc;
}

/** Checks a mail by the policy of its author's domain (DMARC, RFC 9989). */
export async function checkAuthor(
  { authors, fromFields, signatures }: CheckedContent,
  envelope: CheckedEnvelope,
  resolver: DnsResolve,
): Promise<CheckedAuthor> {
  const evaluateDmarc = await loadDmarc();
  const { response, reason } = await evaluateDmarc({
    headerFrom: authors,
    fromFields,
    spfDomains: envelope.result === 'pass' ? [envelope.domain] : [],
    dkimDomains: signatures.filter(({ result }) => result === 'pass').map(({ domain }) => ({ domain })),
    resolver,
  });
  if (response === false) {
    // A mail with several authors has no policy that it could pass. A result of `none` would let it hide the policy that it fails.
    const isAuthorless = reason === undefined || reason === 'no-author-domain';
    return { result: isAuthorless ? 'none' : 'fail', rejectedBy: null };
  }
  const { status, policy, policyDomain = '', rr = '' } = response;
  const result = readResult(status.result);
  const isRejected = result === 'fail' && policy === 'reject' && appliesToAll(rr);
  return { result, rejectedBy: isRejected ? parseDomain(policyDomain) : null };
}

/** RFC 9989 has no `pct`. Domains that still publish one below 100 are trying their policy out (RFC 7489, section 6.6.4). */
function appliesToAll(record: string): boolean {
  return [...record.matchAll(/;\s*pct\s*=([^;]*)/gi)].every(([, share = '']) => share.trim() === '100');
}

/** Returns the domain of the author if there is exactly one, otherwise null. */
export function authorDomain({ authors, fromFields }: CheckedContent): string | null {
  const domains = new Set(authors.map(domainOfAddress));
  const [domain] = domains;
  return fromFields === 1 && domains.size === 1 ? (domain ?? null) : null;
}
