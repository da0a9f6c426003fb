import type { MailParser } from '../parse/parse-pool.ts';
import { readHeaderFields } from '../parse/read-header-fields.ts';
import { fromFields, readAuthors } from '../parse/read-mailboxes.ts';
import type { DnsResolve } from './ask-dns.ts';
import { type AuthenticationResult, summarizeSignatures } from './authentication-result.ts';
import { claimChain, isUnsure, type KeyAnswers, listKeyNames, type TrustedForwarders } from './signatures.ts';
import type { SignatureFindings } from './verify-signatures.ts';

/** The results that the content of a mail proves. */
export interface CheckedContent extends SignatureFindings {
  result: AuthenticationResult;
  /** The addresses that From names, as the message is shown with them. */
  authors: string[];
  /** The number of From fields. */
  fromFields: number;
  /** Whether a trusted forwarder may have sealed it, but its key could not be had for now. */
  isChainUnsure: boolean;
  /** Whether the signatures could not be checked for now, which is due to this machine and not to the mail. */
  isGivenUp: boolean;
}

/** How long the signatures of a mail may wait for a thread that is busy with other mail. */
const patienceMs = 30_000;

interface ContentInput {
  raw: Buffer;
  owner?: string | undefined;
}

interface ContentDeps {
  parser: Pick<MailParser, 'verifySignatures'>;
  trustedForwarders: TrustedForwarders;
  resolve: DnsResolve;
}

/** Checks the DKIM signatures of a mail (RFC 6376), and its ARC chain if the newest seal names a trusted forwarder. */
export async function checkContent(
  { raw, owner }: ContentInput,
  { parser, trustedForwarders, resolve }: ContentDeps,
): Promise<CheckedContent> {
  const fields = readHeaderFields(raw);
  const from = { authors: readAuthors(fields), fromFields: fromFields(fields).length };
  const names = listKeyNames(fields);
  const chain = names && claimChain(fields, trustedForwarders);
  let isGivenUp = false;
  if (names !== null) {
    const keyNames = [...new Set([...names, ...(chain?.keyNames ?? [])])];
    const keys = await lookUpKeys(keyNames, resolve);
    const options = { keys, withChain: chain !== null };
    const found = await parser.verifySignatures(raw, options, owner, patienceMs);
    if (found && !('failed' in found)) {
      const isChainUnsure = chain !== null && isUnsure(chain, keys);
      return { ...found, ...from, result: summarizeSignatures(found.signatures), isChainUnsure, isGivenUp };
    }
    isGivenUp = found !== null && !found.isFinal && keyNames.length > 0;
  }
  // Signatures that are too much to check count as none, and the author's policy applies. If they did not, a forger would add some.
  return {
    result: isGivenUp ? 'temperror' : 'permerror',
    signatures: [],
    chain: [],
    ...from,
    isChainUnsure: false,
    isGivenUp,
  };
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
