import { type DerivedKeys, decrypt, encrypt, isReadable } from '../../lib/crypto/primitives.ts';
import type { TlsCertificate } from '../tls-certificate.ts';

const purpose = 'tls certificates';

/** Returns a certificate with its key as it is stored. It can be read for the same host alone. */
export function sealPair(keys: DerivedKeys, hostname: string, { cert, key }: TlsCertificate): string {
  return encrypt(keys, purpose, hostname, JSON.stringify({ cert, key }));
}

/** Returns the certificate of a row; null if it has none yet, or one that another root secret has encrypted. */
export function openPair(
  keys: DerivedKeys,
  { hostname, sealed_pair }: { hostname: string; sealed_pair: string | null },
): TlsCertificate | null {
  if (sealed_pair === null || !isReadable(keys, sealed_pair)) return null;
  return JSON.parse(decrypt(keys, purpose, hostname, sealed_pair)) as TlsCertificate;
}
