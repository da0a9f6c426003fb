import { Readable } from 'node:stream';
import type { ARCChainEntry, DKIMVerifyResult, DNSResolver } from 'mailauth';
import { readHeaderFields, unfold } from '../parse/read-header-fields.ts';
import { fromFields } from '../parse/read-mailboxes.ts';
import type { DnsResolve } from './ask-dns.ts';
import { type ChainLink, type KeyAnswers, spellName } from './signatures.ts';

/** The result for a DKIM signature. `comment` is the library's reason. */
export interface CheckedSignature {
  domain: string;
  result: string;
  comment: string;
  /** Whether it covers only the beginning of the body (`l=`), so that anything may follow below. */
  isPartial: boolean;
}

/** The signatures of a mail. */
export interface SignatureFindings {
  signatures: CheckedSignature[];
  /** The sets of the ARC chain from the oldest to the newest, if it was to be checked and validates. */
  chain: ChainLink[];
}

/** The keys that were looked up, and whether the ARC chain is checked. */
export interface SignatureOptions {
  keys: KeyAnswers;
  withChain: boolean;
}

/**
 * Checks the signatures of a mail with keys that were looked up before. A hostile mail may take long, so this is only called in a worker
 * that can be stopped.
 */
export async function verifySignatures(
  raw: Buffer,
  { keys, withChain }: SignatureOptions,
): Promise<SignatureFindings> {
  const { dkimVerify } = await import('mailauth/lib/dkim/verify.js');
  const resolver: DnsResolve = async (name) => {
    const answer = keys[spellName(name)] ?? { code: 'ENOTFOUND' };
    if ('records' in answer) return answer.records;
    throw Object.assign(new Error('No answer of DNS.'), { code: answer.code });
  };
  const found = await dkimVerify(Readable.from([withCrlf(raw)]), { resolver, rejectRsaSha1: true });
  const isOfShownFrom = readsSameFrom(raw, found);
  const signatures = found.results.map(({ signingDomain, status }) => ({
    domain: signingDomain ?? '',
    result: isOfShownFrom ? status.result : 'neutral',
    comment: isOfShownFrom ? String(status.comment ?? '') : 'From is read in two ways',
    isPartial: Boolean(status.underSized),
  }));
  const chain = withChain && isOfShownFrom ? await readChain(found, resolver) : [];
  return { signatures, chain };
}

/**
 * The library divides a header into fields in its own way. A signature over a From that is not shown says nothing about the one that is.
 */
function readsSameFrom(raw: Buffer, { headers }: DKIMVerifyResult): boolean {
  const signed = (headers?.parsed ?? []).filter(({ key }) => key === 'from');
  const shown = fromFields(readHeaderFields(raw));
  return (
    signed.length === shown.length &&
    shown.every(({ value }, at) => value === unfold(fieldValue(signed[at]!.line)))
  );
}

function fieldValue(line: Buffer): Buffer {
  return line.subarray(line.indexOf(':') + 1);
}

/**
 * Returns the mail in one piece and with CRLF line ends, as it was signed. With a mail in pieces, the verifier takes quadratic time for a
 * body of one line (25 MB: 17 s), and it creates a promise for every line that ends in a bare LF.
 */
function withCrlf(raw: Buffer): Buffer {
  const text = raw.toString('latin1');
  const fixed = text.replace(/\r?\n/g, '\r\n');
  return fixed.length === text.length ? raw : Buffer.from(fixed, 'latin1');
}

/**
 * Returns the sets of a mail's ARC chain from the oldest to the newest, or none if the chain does not validate (RFC 8617, section 5.2). A
 * newest signature over the beginning of the body only (`l=`) does not validate, since anything may have been added below.
 */
async function readChain({ arc: found }: DKIMVerifyResult, resolver: DNSResolver): Promise<ChainLink[]> {
  if (!found?.chain || !found.lastEntry || found.error) return [];
  const { chain, lastEntry } = found;
  if (lastEntry.messageSignature?.status.underSized) return [];
  // The check moves parts of the newest record.
  const links = chain.map(readLink);
  const { arc } = await import('mailauth/lib/arc/index.js');
  const { status } = await arc({ chain, lastEntry }, { resolver });
  return status.result === 'pass' ? links : [];
}

function readLink(entry: ARCChainEntry): ChainLink {
  return { sealer: String(entry['arc-seal']?.parsed?.d?.value ?? ''), dmarc: readDmarc(entry) };
}

/** A record with several results of DMARC is ambiguous, and so means nothing. */
function readDmarc(entry: ARCChainEntry): ChainLink['dmarc'] {
  const record = entry['arc-authentication-results'];
  const text = String(record?.original ?? '');
  if (text.match(/[;)]\s*dmarc\s*=/gi)?.length !== 1) return null;
  const dmarc: { value?: unknown; header?: { from?: unknown } } | undefined = record?.parsed?.dmarc;
  const { value, header } = dmarc ?? {};
  if (typeof value !== 'string' || typeof header?.from !== 'string') return null;
  return { result: value.toLowerCase(), from: header.from };
}
