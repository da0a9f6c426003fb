import { Readable } from 'node:stream';
import type { ChainLink } from './arc-chain.ts';
import type { DnsResolve } from './ask-dns.ts';
import { type KeyAnswers, spellName } from './dkim-keys.ts';
import { readChain } from './read-chain.ts';

/** The result for a DKIM signature. `comment` is the library's reason. */
export interface CheckedSignature {
  domain: string;
  result: string;
  comment: string;
  /** Whether it covers only the beginning of the body (`l=`), so that anything may follow below. */
  isPartial: boolean;
}

/** The signatures of a mail, and the authors that its header names. */
export interface SignatureFindings {
  signatures: CheckedSignature[];
  authors: string[];
  fromFields: number;
  /** The sets of the ARC chain from the oldest to the newest, if it was to be checked and validates. */
  chain: ChainLink[];
}

/** The keys that were looked up, and whether the ARC chain is checked. */
export interface SignatureOptions {
  keys: KeyAnswers;
  withChain: boolean;
}

const authorsMax = 100;

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
  const signatures = found.results.map(({ signingDomain, status }) => ({
    domain: signingDomain ?? '',
    result: status.result,
    comment: String(status.comment ?? ''),
    isPartial: Boolean(status.underSized),
  }));
  const authors = found.headerFrom.slice(0, authorsMax);
  const chain = withChain ? await readChain(found, resolver) : [];
  return { signatures, authors, fromFields: found.fromFields, chain };
}

/**
 * Returns the mail in one piece and with CRLF line ends, as it was signed. If the mail comes in pieces, the verifier takes quadratic time
 * for a body of one line (25 MB: 17 s), and it creates a promise for every line that ends in a bare LF.
 */
function withCrlf(raw: Buffer): Buffer {
  const text = raw.toString('latin1');
  const fixed = text.replace(/\r?\n/g, '\r\n');
  return fixed.length === text.length ? raw : Buffer.from(fixed, 'latin1');
}
