import { type DerivedKeys, encrypt } from '../lib/crypto/secrets.ts';

const purpose = 'dkim keys';

/** Returns the private DKIM key of a domain as it is stored, which the row of no other domain can use. */
export function sealDomainKey(keys: DerivedKeys, domainId: string, pem: string): string {
  return encrypt(keys, purpose, domainId, pem);
}
