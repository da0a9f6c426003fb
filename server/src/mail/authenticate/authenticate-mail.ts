/*
 * Who really sent a mail: SPF (RFC 7208) for the envelope, DKIM (RFC 6376) for the content, DMARC (RFC 9989) for the author.
 * Here only DNS is asked, within a fixed time; the signatures are checked in the parser's threads, with keys that were
 * looked up before, so a hostile mail cannot hold anybody up. What cannot be known because the DNS of the *author* is away
 * is a `temperror`, never a `fail`; a forger's own broken DNS changes nothing.
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

/** What is known of a mail's sender. */
export interface MailAuthentication {
  spf: AuthenticationResult;
  dkim: AuthenticationResult;
  dmarc: AuthenticationResult;
  /** The domain of From, as A-labels, if it is proven that the mail is from there; null otherwise. */
  verified_domain: string | null;
}

/** A mail as it came in. */
export interface AuthenticationInput {
  raw: Buffer;
  remoteAddress: string;
  helo: string | null;
  /** Empty for the null sender. */
  envelopeFrom: string;
  /** The author as the mail was read; another domain is never called verified. */
  from: string | null;
  /** Whose turn the check of its signatures takes where many mails wait. */
  owner?: string | undefined;
}

/** What an authenticator works with. */
export interface AuthenticatorOptions {
  /** Null turns authentication off: nothing is asked, and nothing is known of any mail. */
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
   * Never rejects. Null when it is off. Of a client on a private network or this machine no DNS knows, so its `spf` is `none`, and what
   * it brings is judged by its signatures alone.
   */
  authenticate(input: AuthenticationInput): Promise<MailAuthentication | null>;
  /** Loads what it needs (0.1 s), so that the first mail need not wait for it. */
  warm(): Promise<void>;
}

const timeoutMsDefault = 5_000;
/** How much of the time the sender's records and keys may take; what is left is for the author's policy. */
const senderShare = 0.6;
const unknown: MailAuthentication = {
  spf: 'temperror',
  dkim: 'temperror',
  dmarc: 'temperror',
  verified_domain: null,
};
/** Of an unsigned mail that a relay nearby brings: the relay is no sender, and there is nothing else to go by. */
const unjudged: MailAuthentication = { spf: 'none', dkim: 'none', dmarc: 'none', verified_domain: null };
/** Kinds of addresses that only mean something where we are, and that no SPF record can speak of. */
const localRanges = new Set([
  'unspecified',
  'loopback',
  'private',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
]);

/** An authenticator that asks the given DNS. */
export function createMailAuthenticator(options: AuthenticatorOptions): MailAuthenticator {
  const { resolve, parser, hostname, timeoutMs = timeoutMsDefault } = options;
  return {
    async authenticate(input) {
      if (resolve === null) return null;
      if (isLocal(input.remoteAddress) && !isSigned(input.raw)) return unjudged;
      try {
        // DNS keeps its own time; the rest is for a thread that is busy with others.
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

/** Looked at in the thread that serves everybody, so the header is searched and not read. */
function isSigned(raw: Buffer): boolean {
  const end = raw.indexOf('\r\n\r\n');
  const header = raw.toString('latin1', 0, Math.min(end < 0 ? raw.length : end, headerBytesMax));
  return /^dkim-signature[ \t]*:/im.test(header);
}

/** The parts of mailauth that are used here; all of it takes three times as long to load. */
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
  // A signature over part of the body says nothing of what was added below it.
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
  // Signatures that are too much to check prove nothing; the author has a policy all the same.
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
  // A mail with several authors has no policy that it could pass; calling that none would let it hide the one it fails.
  return reason === undefined || reason === 'no-author-domain' ? 'none' : 'fail';
}

/** The domain of the author if there is exactly one. */
function authorDomain({ authors, fromFields }: Content): string | null {
  const domains = new Set(authors.map(domainOfAddress));
  const [domain] = domains;
  return fromFields === 1 && domains.size === 1 ? (domain ?? null) : null;
}

function domainOfAddress(address: string | null): string | null {
  return address === null ? null : parseDomain(address.slice(address.lastIndexOf('@') + 1));
}

/** Relaxed alignment (RFC 7489, section 3.1): the same organisation by the Public Suffix List. */
function aligns(author: string, domains: string[]): boolean {
  const organization = (host: string) => getDomain(host, { allowPrivateDomains: true }) ?? host;
  return domains.some((text) => {
    const domain = parseDomain(text);
    return domain !== null && organization(domain) === organization(author);
  });
}
