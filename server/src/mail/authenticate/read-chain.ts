import type { ARCChainEntry, DKIMVerifyResult, DNSResolver } from 'mailauth';
import type { ChainLink } from './arc-chain.ts';

/**
 * Returns the sets of a mail's ARC chain from the oldest to the newest, or none if the chain does not validate (RFC 8617, section 5.2). A
 * newest signature over the beginning of the body only (`l=`) does not validate, since anything may have been added below.
 */
export async function readChain(
  { arc: found }: DKIMVerifyResult,
  resolver: DNSResolver,
): Promise<ChainLink[]> {
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
