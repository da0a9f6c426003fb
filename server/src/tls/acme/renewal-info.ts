import { X509Certificate } from 'node:crypto';
import type { Agent } from 'node:https';
import { AsnConvert } from '@peculiar/asn1-schema';
import { AuthorityKeyIdentifier, Certificate, id_ce_authorityKeyIdentifier } from '@peculiar/asn1-x509';
import { getHttps } from '../../lib/get-https.ts';

const limits = { timeoutMs: 30_000, bytesMax: 65_536 };

/**
 * Returns the time from which an ACME server wants a certificate to be renewed (RFC 9773), which is in the past for a revoked one. Returns
 * null if it does not say. Rejects if it cannot be asked.
 */
export async function readRenewalTime(agent: Agent, directory: string, cert: string): Promise<Date | null> {
  const read = async (url: string) =>
    JSON.parse(String(await getHttps(url, { agent, ...limits }))) as Record<string, unknown> | null;
  const renewalInfo = (await read(directory))?.renewalInfo;
  const id = identify(cert);
  if (typeof renewalInfo !== 'string' || id === null) return null;
  const suggested = (await read(`${renewalInfo}/${id}`))?.suggestedWindow as { start?: unknown } | undefined;
  const start = new Date(String(suggested?.start));
  return Number.isNaN(start.getTime()) ? null : start;
}

/** Returns the name of a certificate in renewal information, or null if it does not name the key that signed it. */
export function identify(cert: string): string | null {
  const { tbsCertificate } = AsnConvert.parse(new X509Certificate(cert).raw, Certificate);
  const extension = tbsCertificate.extensions?.find(({ extnID }) => extnID === id_ce_authorityKeyIdentifier);
  if (!extension) return null;
  const { keyIdentifier } = AsnConvert.parse(extension.extnValue.buffer, AuthorityKeyIdentifier);
  if (!keyIdentifier) return null;
  return [keyIdentifier.buffer, tbsCertificate.serialNumber]
    .map((bytes) => Buffer.from(bytes).toString('base64url'))
    .join('.');
}
