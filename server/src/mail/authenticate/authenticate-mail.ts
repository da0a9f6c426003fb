/*
 * Finds out who really sent a mail: SPF (RFC 7208) checks the envelope, DKIM (RFC 6376) the content, and DMARC (RFC 9989) the author. If
 * DMARC fails, a trusted forwarder may vouch for the author by ARC (RFC 8617). Results that others stamped on the mail count for nothing.
 *
 * This module only asks DNS, and it limits the time and the number of questions for one mail. The signatures are checked in the parser's
 * threads, with keys that were looked up before, so a hostile mail cannot hold up others. If the DNS of the *author* is unavailable, or
 * this machine was too busy to check the signatures, the result is a `temperror`, never a `fail`. A forger's own broken DNS changes
 * nothing, and neither do signatures that take too much processor time: they count as none.
 */
import ipaddr from 'ipaddr.js';
import type { MailParser } from '../parse/parse-pool.ts';
import { askDns, type DnsResolve, shareAnswers } from './ask-dns.ts';
import { type AuthenticationResult, aligns } from './authentication-result.ts';
import { authorDomain, checkAuthor, loadDmarc } from './check-author.ts';
import { type CheckedContent, checkContent } from './check-content.ts';
import { type CheckedEnvelope, checkEnvelope, type EnvelopeInput, loadSpf } from './check-envelope.ts';
import { type TrustedForwarders, vouchedAuthor } from './signatures.ts';

/** The results of the checks of a mail's sender. */
export interface MailAuthentication {
  spf: AuthenticationResult;
  dkim: AuthenticationResult;
  dmarc: AuthenticationResult;
  /** The domain of From, as A-labels, if it is proven that the mail is from there; null otherwise. */
  verified_domain: string | null;
}

/** The results, and whether the author's domain asks to refuse the mail. */
export interface SenderCheck {
  authentication: MailAuthentication;
  /**
   * The domain whose DMARC policy is `reject`, if the mail fails it and no trusted forwarder vouches for the author. Null for a client on a
   * private network, because SPF cannot be checked there.
   */
  rejectedBy: string | null;
}

/** A mail as it was received. */
export interface AuthenticationInput extends EnvelopeInput {
  raw: Buffer;
  /** The sender that the message is shown with. If the mail is not proven to be from this one, it fails DMARC. */
  from: string | null;
  /** The owner whose turn the check of the signatures uses if many mails are waiting. */
  owner?: string | undefined;
}

/** The dependencies and settings of an authenticator. */
export interface AuthenticatorOptions {
  /** Null turns authentication off: no DNS question is asked, and `authenticate` resolves to null. */
  resolve: DnsResolve | null;
  parser: Pick<MailParser, 'verifySignatures'>;
  /** The name of this server, for macros in SPF records. */
  hostname: string;
  /** The forwarders whose ARC seals are believed; none by default. */
  trustedForwarders?: readonly string[];
  /** The time limit for DNS for one mail. */
  timeoutMs?: number;
}

/** Authenticates inbound mail. */
export interface MailAuthenticator {
  /**
   * Never rejects. Resolves to null if authentication is off. DNS knows nothing about a client on a private network or on this machine, so
   * its `spf` is `none`, and its mail is judged by the signatures alone.
   */
  authenticate(input: AuthenticationInput): Promise<SenderCheck | null>;
  /** Loads the modules for the checks (0.1 s), so that the first mail does not have to wait for them. */
  warm(): Promise<void>;
}

const timeoutMsDefault = 5_000;
/** The share of the time for the sender's records and keys. The rest is for the author's policy. */
const senderShare = 0.6;
/** The most DNS questions for one mail, 60 in all. No step can use up those of another. */
const questionsMax = { keys: 21, envelope: 27, author: 12 };
const unknown: SenderCheck = {
  authentication: { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror', verified_domain: null },
  rejectedBy: null,
};
/** The result for an unsigned mail from a local relay: the relay is not the sender, and there is nothing else to judge by. */
const unjudged: SenderCheck = {
  authentication: { spf: 'none', dkim: 'none', dmarc: 'none', verified_domain: null },
  rejectedBy: null,
};

/** The result of SPF for a local client. */
const noEnvelope: CheckedEnvelope = { result: 'none', domain: '' };

/** Creates an authenticator that asks the given DNS. Mails that arrive within half a minute share its answers. */
export function createMailAuthenticator(options: AuthenticatorOptions): MailAuthenticator {
  const { parser, hostname, trustedForwarders = [], timeoutMs = timeoutMsDefault } = options;
  const resolve = options.resolve && shareAnswers(options.resolve);
  const trusted = new Set(trustedForwarders);
  return {
    async authenticate(input) {
      if (resolve === null) return null;
      if (isLocal(input.remoteAddress) && !isSigned(input.raw)) return unjudged;
      const deps = { resolve, parser, hostname, trustedForwarders: trusted, timeoutMs };
      try {
        return await check(input, deps);
      } catch {
        return unknown;
      }
    },
    async warm() {
      if (resolve !== null) await Promise.all([loadSpf(), loadDmarc()]);
    },
  };
}

/** Address ranges that have a meaning only on the local network, so that no SPF record can cover them. */
const localRanges = new Set([
  'unspecified',
  'loopback',
  'private',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
]);

/** Returns whether DNS knows nothing about an address, because it is on a private network or on this machine. */
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

interface CheckDeps extends Pick<AuthenticatorOptions, 'parser' | 'hostname'> {
  resolve: DnsResolve;
  trustedForwarders: TrustedForwarders;
  timeoutMs: number;
}

async function check(input: AuthenticationInput, deps: CheckDeps): Promise<SenderCheck> {
  const { resolve: shared, hostname, parser, trustedForwarders, timeoutMs } = deps;
  const earlyMs = senderShare * timeoutMs;
  const ask = (step: keyof typeof questionsMax, stepMs: number) =>
    askDns(shared, { timeoutMs: stepMs, questionsMax: questionsMax[step] });
  const [envelope, content] = await Promise.all([
    isLocal(input.remoteAddress) ? noEnvelope : checkEnvelope(input, hostname, ask('envelope', earlyMs)),
    checkContent(input, { parser, trustedForwarders, resolve: ask('keys', earlyMs).resolve }),
  ]);
  const author = authorDomain(content, input.from);
  const senders = { envelope, shown: input.from };
  const own = await checkAuthor(content, senders, ask('author', timeoutMs - earlyMs).resolve);
  const isVouched =
    own.result === 'fail' && author !== null && author === vouchedAuthor(content.chain, trustedForwarders);
  const isUnsure =
    own.result === 'fail' &&
    author !== null &&
    (content.isGivenUp || content.isChainUnsure || mayAlign(author, envelope, content));
  const dmarc = isVouched ? 'pass' : isUnsure ? 'temperror' : own.result;
  const isProven =
    isVouched ||
    ((dmarc === 'pass' || dmarc === 'none') && author !== null && isSender(author, envelope, content));
  return {
    authentication: {
      spf: envelope.result,
      dkim: content.result,
      dmarc,
      verified_domain: isProven ? author : null,
    },
    rejectedBy: dmarc === 'fail' && !isLocal(input.remoteAddress) ? own.rejectedBy : null,
  };
}

/** Returns whether a check that passed is of the author's organisation. */
function isSender(author: string, envelope: CheckedEnvelope, { signatures }: CheckedContent): boolean {
  // A signature over part of the body does not cover what was added below it.
  const signers = signatures.filter(({ result, isPartial }) => result === 'pass' && !isPartial);
  const proofs = signers.map(({ domain }) => domain);
  return aligns(author, envelope.result === 'pass' ? [envelope.domain, ...proofs] : proofs);
}

/** Returns whether a check that cannot be made right now is about the author's organisation. */
function mayAlign(author: string, envelope: CheckedEnvelope, { signatures }: CheckedContent): boolean {
  const unsure = signatures.filter(({ result }) => result === 'temperror').map(({ domain }) => domain);
  return aligns(author, envelope.result === 'temperror' ? [envelope.domain, ...unsure] : unsure);
}
