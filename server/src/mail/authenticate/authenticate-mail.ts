/*
 * Finds out who really sent a mail: SPF (RFC 7208) checks the envelope, DKIM (RFC 6376) the content, and DMARC (RFC 9989) the author. This
 * module only asks DNS, within a fixed time. The signatures are checked in the parser's threads, with keys that were looked up before, so a
 * hostile mail cannot hold up others. If the DNS of the *author* is unavailable, the result is a `temperror`, never a `fail`. A forger's
 * own broken DNS changes nothing.
 */
import ipaddr from 'ipaddr.js';
import { getDomain } from 'tldts';
import { parseDomain } from '../../lib/email-address.ts';
import type { MailParser } from '../parse/parse-pool.ts';
import { allValues, readHeaderFields } from '../parse/read-header-fields.ts';
import { readMailboxes } from '../parse/read-mailboxes.ts';
import { withinTime } from '../parse/within-time.ts';
import { askDns, type DnsResolve } from './ask-dns.ts';
import { type AuthenticationResult, readResult, summarizeSignatures } from './authentication-result.ts';
import { type KeyAnswers, listKeyNames } from './dkim-keys.ts';
import type { CheckedSignature, SignatureFindings } from './verify-signatures.ts';

/** The results of the checks of a mail's sender. */
export interface MailAuthentication {
  spf: AuthenticationResult;
  dkim: AuthenticationResult;
  dmarc: AuthenticationResult;
  /** The domain of From, as A-labels, if it is proven that the mail is from there; null otherwise. */
  verified_domain: string | null;
}

/** A mail as it was received. */
export interface AuthenticationInput {
  raw: Buffer;
  remoteAddress: string;
  helo: string | null;
  /** Empty for the null sender. */
  envelopeFrom: string;
  /** The author that the parser read from the mail. No other domain counts as verified. */
  from: string | null;
  /** The owner whose turn the check of the signatures takes if many mails are waiting. */
  owner?: string | undefined;
}

/** The dependencies and settings of an authenticator. */
export interface AuthenticatorOptions {
  /** Null turns authentication off: no DNS question is asked, and `authenticate` resolves to null. */
  resolve: DnsResolve | null;
  parser: Pick<MailParser, 'verifySignatures'>;
  /** The name of this server, for macros in SPF records. */
  hostname: string;
  /** How long DNS may take for one mail. */
  timeoutMs?: number;
}

/** Authenticates inbound mail. */
export interface MailAuthenticator {
  /**
   * Never rejects. Resolves to null if authentication is off. DNS knows nothing about a client on a private network or on this machine, so
   * its `spf` is `none`, and its mail is judged by the signatures alone.
   */
  authenticate(input: AuthenticationInput): Promise<MailAuthentication | null>;
  /** Loads the modules for the checks (0.1 s), so that the first mail does not have to wait for them. */
  warm(): Promise<void>;
}

const timeoutMsDefault = 5_000;
/** The share of the time for the sender's records and keys. The rest is for the author's policy. */
const senderShare = 0.6;
const unknown: MailAuthentication = {
  spf: 'temperror',
  dkim: 'temperror',
  dmarc: 'temperror',
  verified_domain: null,
};
/** The result for an unsigned mail from a local relay: the relay is not the sender, and there is nothing else to judge by. */
const unjudged: MailAuthentication = { spf: 'none', dkim: 'none', dmarc: 'none', verified_domain: null };
/** Address ranges that have a meaning only on the local network, so that no SPF record can cover them. */
const localRanges = new Set([
  'unspecified',
  'loopback',
  'private',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
]);

/** Creates an authenticator that asks the given DNS. */
export function createMailAuthenticator(options: AuthenticatorOptions): MailAuthenticator {
  const { resolve, parser, hostname, timeoutMs = timeoutMsDefault } = options;
  return {
    async authenticate(input) {
      if (resolve === null) return null;
      if (isLocal(input.remoteAddress) && !isSigned(input.raw)) return unjudged;
      try {
        // DNS has a time limit of its own. The rest is for a thread that is busy with other mail.
        return await withinTime(
          check(input, { resolve, parser, hostname, timeoutMs }),
          2 * timeoutMs,
          unknown,
        );
      } catch {
        return unknown;
      }
    },
    async warm() {
      if (resolve !== null) await loadChecks();
    },
  };
}

function isLocal(address: string): boolean {
  return !ipaddr.isValid(address) || localRanges.has(ipaddr.process(address).range());
}

const headerBytesMax = 1_048_576;

/** Runs in the main thread, so the header is searched and not parsed. */
function isSigned(raw: Buffer): boolean {
  const end = raw.indexOf('\r\n\r\n');
  const header = raw.toString('latin1', 0, Math.min(end < 0 ? raw.length : end, headerBytesMax));
  return /^dkim-signature[ \t]*:/im.test(header);
}

/** Loads the parts of mailauth that are used here, since all of it takes three times as long to load. */
async function loadChecks() {
  const [{ spf }, { evaluateDmarc }] = await Promise.all([
    import('mailauth/lib/spf/index.js'),
    import('mailauth/lib/dmarc/index.js'),
  ]);
  return { spf, evaluateDmarc };
}

async function check(
  input: AuthenticationInput,
  { resolve, parser, hostname, timeoutMs }: Required<AuthenticatorOptions> & { resolve: DnsResolve },
): Promise<MailAuthentication> {
  const early = askDns(resolve, senderShare * timeoutMs);
  const [envelope, content] = await Promise.all([
    checkEnvelope(input, hostname, early),
    checkContent(input, parser, early),
  ]);
  const passing = content.signatures.filter(({ result }) => result === 'pass');
  const author = authorDomain(content);
  const late = askDns(resolve, (1 - senderShare) * timeoutMs);
  const dmarc = await checkAuthor(content, envelope, passing, late);
  // A signature over part of the body does not cover what was added below it.
  const signers = passing.filter(({ isPartial }) => !isPartial).map(({ domain }) => domain);
  const proofs = envelope.result === 'pass' ? [envelope.domain, ...signers] : signers;
  const isProven = author !== null && author === domainOfAddress(input.from) && aligns(author, proofs);
  const unsure = [
    ...(envelope.result === 'temperror' ? [envelope.domain] : []),
    ...content.signatures.filter(({ result }) => result === 'temperror').map(({ domain }) => domain),
  ];
  return {
    spf: envelope.result,
    dkim: content.result,
    dmarc: dmarc === 'fail' && author !== null && aligns(author, unsure) ? 'temperror' : dmarc,
    verified_domain: isProven && (dmarc === 'pass' || dmarc === 'none') ? author : null,
  };
}

interface Envelope {
  result: AuthenticationResult;
  domain: string;
}

async function checkEnvelope(
  { remoteAddress, helo, envelopeFrom }: AuthenticationInput,
  hostname: string,
  resolver: DnsResolve,
): Promise<Envelope> {
  if (isLocal(remoteAddress)) return { result: 'none', domain: '' };
  const { spf } = await loadChecks();
  const { status, domain } = await spf({
    ip: remoteAddress,
    helo: helo ?? `[${remoteAddress}]`,
    sender: envelopeFrom,
    mta: hostname,
    resolver,
  });
  return { result: readResult(status.result), domain };
}

interface Content extends SignatureFindings {
  result: AuthenticationResult;
}

async function checkContent(
  { raw, owner }: AuthenticationInput,
  parser: AuthenticatorOptions['parser'],
  resolve: DnsResolve,
): Promise<Content> {
  const names = listKeyNames(raw);
  const found =
    names === null ? null : await parser.verifySignatures(raw, await lookUpKeys(names, resolve), owner);
  if (found) return { ...found, result: summarizeSignatures(found.signatures) };
  // Signatures that take too much to check prove nothing, but the author's policy still applies.
  const values = allValues(readHeaderFields(raw), 'from');
  const authors = readMailboxes(values).map(({ address }) => address);
  return { result: 'permerror', signatures: [], authors, fromFields: values.length };
}

async function lookUpKeys(names: string[], resolve: DnsResolve): Promise<KeyAnswers> {
  const answers = names.map(async (name): Promise<[string, KeyAnswers[string]]> => {
    try {
      return [name, { records: await resolve(name, 'TXT') }];
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN';
      return [name, { code }];
    }
  });
  return Object.fromEntries(await Promise.all(answers));
}

async function checkAuthor(
  { authors, fromFields }: Content,
  envelope: Envelope,
  passing: CheckedSignature[],
  resolver: DnsResolve,
): Promise<AuthenticationResult> {
  const { evaluateDmarc } = await loadChecks();
  const { response, reason } = await evaluateDmarc({
    headerFrom: authors,
    fromFields,
    spfDomains: envelope.result === 'pass' ? [envelope.domain] : [],
    dkimDomains: passing.map(({ domain }) => ({ domain })),
    resolver,
  });
  if (response !== false) return readResult(response.status.result);
  // A mail with several authors has no policy that it could pass. A result of `none` would let it hide the policy that it fails.
  return reason === undefined || reason === 'no-author-domain' ? 'none' : 'fail';
}

/** Returns the domain of the author if there is exactly one, otherwise null. */
function authorDomain({ authors, fromFields }: Content): string | null {
  const domains = new Set(authors.map(domainOfAddress));
  const [domain] = domains;
  return fromFields === 1 && domains.size === 1 ? (domain ?? null) : null;
}

function domainOfAddress(address: string | null): string | null {
  return address === null ? null : parseDomain(address.slice(address.lastIndexOf('@') + 1));
}

/**
 * Returns whether one of the domains aligns with the author's in relaxed mode (RFC 7489, section 3.1): both belong to the same organisation
 * by the Public Suffix List.
 */
function aligns(author: string, domains: string[]): boolean {
  const organization = (host: string) => getDomain(host, { allowPrivateDomains: true }) ?? host;
  return domains.some((text) => {
    const domain = parseDomain(text);
    return domain !== null && organization(domain) === organization(author);
  });
}
