/*
 * Authenticated Received Chain (RFC 8617). A forwarder that changes a mail breaks its signatures, so it records what it saw before, and
 * seals the record. Anybody can seal anything, so a chain counts only if its newest seal is of a forwarder that the operator trusts
 * (ADR 0024). Chains of others cost no look-up.
 */
import { domainToASCII } from 'node:url';
import { parseDomain } from '../../lib/email-address.ts';
import { allValues, type HeaderField } from '../parse/read-header-fields.ts';

const signaturesMax = 10;
const signatureLengthMax = 8_192;

/** The answers of DNS for the keys of a mail: the records or the error code, by the normalized name. */
export type KeyAnswers = Record<string, { records: string[] | string[][] } | { code: string }>;

/** Returns a DNS name in its normalized form: lower-case A-labels. */
export function spellName(name: string): string {
  return domainToASCII(name).toLowerCase();
}

/**
 * Returns the DNS names of the keys that the DKIM signatures of a mail need (RFC 6376, section 3.6.2.1). Returns null if there are more
 * signatures, or longer ones, than any real mail has, because each may require a hash of the whole body and a look-up.
 */
export function listKeyNames(fields: HeaderField[]): string[] | null {
  const signatures = allValues(fields, 'dkim-signature');
  return mayCheck(signatures) ? signatureKeyNames(signatures) : null;
}

/** Returns whether there are no more signatures, or longer ones, than any real mail has. */
function mayCheck(signatures: string[]): boolean {
  return signatures.length <= signaturesMax && signatures.every(({ length }) => length <= signatureLengthMax);
}

/** Returns the DNS name of the key of each signature, once. Signatures that name no key are left out. */
export function signatureKeyNames(signatures: string[]): string[] {
  const names = signatures.flatMap((signature) => {
    const [domain, selector] = [readTag(signature, 'd'), readTag(signature, 's')];
    const name = domain && selector ? spellName(`${selector}._domainkey.${domain}`) : '';
    return name === '' ? [] : [name];
  });
  return [...new Set(names)];
}

/** Returns the value of a tag without white space, or null (RFC 6376, section 3.2). */
function readTag(signature: string, tag: string): string | null {
  for (const part of signature.split(';')) {
    const equals = part.indexOf('=');
    if (part.slice(0, equals).trim().toLowerCase() === tag) return part.slice(equals + 1).replace(/\s/g, '');
  }
  return null;
}

/** One set of a chain that validates: who sealed it, and the result of DMARC that it recorded. */
export interface ChainLink {
  sealer: string;
  dmarc: { result: string; from: string } | null;
}

/** A chain that claims to be sealed by a trusted forwarder. */
interface ClaimedChain {
  keyNames: string[];
  /** The key of the newest seal. */
  sealKeyName: string | undefined;
}

/** Domains of the forwarders that are believed, as A-labels. */
export type TrustedForwarders = ReadonlySet<string>;

/**
 * Returns the keys that a chain needs: one for each seal, and the key of the newest message signature. Returns null if there is no chain,
 * if its newest seal does not name a trusted forwarder, or if it has more than ten sets, each of which may require a look-up and a
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
  return { keyNames: signatureKeyNames([...seals, ...last]), sealKeyName: signatureKeyNames([newest])[0] };
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
