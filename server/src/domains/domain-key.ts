import { type DerivedKeys, decrypt, encrypt } from '../lib/crypto/secrets.ts';

const purpose = 'dkim keys';

/** Returns the private DKIM key of a domain as it is stored, which the row of no other domain can use. */
export function sealDomainKey(keys: DerivedKeys, domainId: string, pem: string): string {
  return encrypt(keys, purpose, domainId, pem);
}

/** Returns the key in PEM that `sealDomainKey` was given. Throws an Error if the root secret of the server has changed. */
export function openDomainKey(keys: DerivedKeys, domainId: string, sealed: string): string {
  return decrypt(keys, purpose, domainId, sealed);
}
