import type { MailParser } from '../parse/parse-pool.ts';
import { allValues, readHeaderFields } from '../parse/read-header-fields.ts';
import { readMailboxes } from '../parse/read-mailboxes.ts';
import { claimChain, isUnsure, type TrustedForwarders } from './arc-chain.ts';
import type { DnsResolve } from './ask-dns.ts';
import { type AuthenticationResult, summarizeSignatures } from './authentication-result.ts';
import { type KeyAnswers, listKeyNames } from './dkim-keys.ts';
import type { SignatureFindings } from './verify-signatures.ts';

/** What the content of a mail proves. */
export interface CheckedContent extends SignatureFindings {
  result: AuthenticationResult;
  /** Whether a trusted forwarder may have sealed it, but its key could not be had for now. */
  isChainUnsure: boolean;
  /** Whether checking the signatures was given up, which may be due to a busy machine. */
  isGivenUp: boolean;
}

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
  const names = listKeyNames(fields);
  const chain = names && claimChain(fields, trustedForwarders);
  const keyNames = [...new Set([...(names ?? []), ...(chain?.keyNames ?? [])])];
  if (names !== null) {
    const keys = await lookUpKeys(keyNames, resolve);
    const found = await parser.verifySignatures(raw, { keys, withChain: chain !== null }, owner);
    const isChainUnsure = chain !== null && isUnsure(chain, keys);
    if (found)
      return {
        ...found,
        result: summarizeSignatures(found.signatures),
        isChainUnsure,
        isGivenUp: false,
      };
  }
  // Signatures that take too much to check prove nothing, but the author's policy still applies.
  const values = allValues(fields, 'from');
  const authors = readMailboxes(values).map(({ address }) => address);
  return {
    result: 'permerror',
    signatures: [],
    chain: [],
    authors,
    fromFields: values.length,
    isChainUnsure: false,
    isGivenUp: keyNames.length > 0,
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
