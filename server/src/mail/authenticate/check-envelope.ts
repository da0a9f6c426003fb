import { normalizeAddress, parseDomain } from '../../lib/email-address.ts';
import type { LimitedDns } from './ask-dns.ts';
import { type AuthenticationResult, readResult } from './authentication-result.ts';

/** The client and the envelope of a mail. */
export interface EnvelopeInput {
  remoteAddress: string;
  helo: string | null;
  /** Empty for the null sender. */
  envelopeFrom: string;
}

/** The result of SPF, and the domain that it is about. */
export interface CheckedEnvelope {
  result: AuthenticationResult;
  domain: string;
}

/** Loads the part of mailauth that checks SPF, since all of it takes three times as long to load. */
export async function loadSpf() {
  return (await import('mailauth/lib/spf/index.js')).spf;
}

/**
 * Checks whether the client may use the envelope sender's domain (SPF, RFC 7208), or that of HELO for the null sender. A record that needs
 * more questions than are allowed is a `permerror` like one with more than ten terms.
 */
export async function checkEnvelope(
  { remoteAddress, helo, envelopeFrom }: EnvelopeInput,
  hostname: string,
  { resolve, hasExceeded }: LimitedDns,
): Promise<CheckedEnvelope> {
  const spf = await loadSpf();
  const { status, domain } = await spf({
    ip: remoteAddress,
    // The library spells other characters than ASCII in its own way, and so would ask another domain than the one that is compared.
    helo: helo === null ? `[${remoteAddress}]` : (parseDomain(helo) ?? helo),
    sender: normalizeAddress(envelopeFrom) ?? envelopeFrom,
    mta: hostname,
    resolver: resolve,
  });
  const result = readResult(status.result);
  return { result: result === 'temperror' && hasExceeded() ? 'permerror' : result, domain };
}
