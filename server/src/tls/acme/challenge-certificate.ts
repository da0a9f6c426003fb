import { OctetString } from '@peculiar/asn1-schema';
import { sha256 } from '../../lib/crypto/primitives.ts';
import { extension, makeSelfSignedCertificate, type TlsCertificate } from '../tls-certificate.ts';

const acmeIdentifierId = '1.3.6.1.5.5.7.1.31';

/** Returns the certificate that answers a challenge of the type tls-alpn-01 (RFC 8737, section 3). */
export function makeChallengeCertificate(
  hostname: string,
  keyAuthorization: string,
  now: Date,
): TlsCertificate {
  const value = new OctetString(sha256(keyAuthorization));
  return makeSelfSignedCertificate(hostname, now, [extension(acmeIdentifierId, true, value)]);
}
