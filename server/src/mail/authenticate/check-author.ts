import type { DMARCResult } from 'mailauth';
import { parseDomain } from '../../lib/email-address.ts';
import type { DnsResolve } from './ask-dns.ts';
import { type AuthenticationResult, domainOfAddress, readResult } from './authentication-result.ts';
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

/** Any further domains of authors are not checked. The mail fails without them. */
const authorDomainsMax = 3;

/**
 * Checks a mail by the policy of its author's domain (DMARC, RFC 9989). A mail with authors of several domains fails, since a result of
 * `none` would let it hide the policy that it fails. Each domain may ask to reject it (RFC 7489, section 6.6.1). A mail that is shown to be
 * from anybody else, such as the envelope sender of a mail without a From, fails, too.
 */
export async function checkAuthor(
  content: CheckedContent,
  { envelope, shown }: { envelope: CheckedEnvelope; shown: string | null },
  resolver: DnsResolve,
): Promise<CheckedAuthor> {
  const { authors, fromFields, signatures } = content;
  const evaluateDmarc = await loadDmarc();
  const evaluate = (headerFrom: string[], fields: number) =>
    evaluateDmarc({
      headerFrom,
      fromFields: fields,
      spfDomains: envelope.result === 'pass' ? [envelope.domain] : [],
      dkimDomains: signatures.filter(({ result }) => result === 'pass').map(({ domain }) => ({ domain })),
      resolver,
    });
  const { response, reason, authorDomains = [] } = await evaluate(authors, fromFields);
  const isShown = shown?.includes('@') ? authors.includes(shown) : authors.length === 0;
  if (response !== false) {
    const result = isShown ? readResult(response.status.result) : 'fail';
    return { result, rejectedBy: rejecting(response) };
  }
  if (reason === undefined || reason === 'no-author-domain')
    return { result: isShown ? 'none' : 'fail', rejectedBy: null };
  const each = authorDomains.slice(0, authorDomainsMax).map((domain) => evaluate([domain], 1));
  const policies = (await Promise.all(each)).map(({ response: own }) => (own ? rejecting(own) : null));
  return { result: 'fail', rejectedBy: policies.find((domain) => domain !== null) ?? null };
}

/** Returns the domain whose policy asks to reject the mail, or null. */
function rejecting({ status, policy, policyDomain = '', rr = '' }: DMARCResult): string | null {
  return status.result === 'fail' && policy === 'reject' && appliesToAll(rr)
    ? parseDomain(policyDomain)
    : null;
}

/** RFC 9989 has no `pct`. Domains that still publish one below 100 are trying their policy out (RFC 7489, section 6.6.4). */
function appliesToAll(record: string): boolean {
  return [...record.matchAll(/;\s*pct\s*=([^;]*)/gi)].every(([, share = '']) => share.trim() === '100');
}

/** Returns the domain of the author if there is exactly one, and a message is shown to be from there; otherwise null. */
export function authorDomain({ authors, fromFields }: CheckedContent, shown: string | null): string | null {
  const domains = new Set([shown, ...authors].map(domainOfAddress));
  const [domain] = domains;
  return fromFields === 1 && authors.length > 0 && domains.size === 1 ? (domain ?? null) : null;
}
