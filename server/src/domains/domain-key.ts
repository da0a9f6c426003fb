import { dkimSelectorOf, makeDkimKey } from '../lib/crypto/dkim-key.ts';
import { type DerivedKeys, decrypt, encrypt } from '../lib/crypto/secrets.ts';

const purpose = 'dkim keys';

/** The columns of a domain's key. The private part is encrypted, so that the row of no other domain can use it. */
export interface DomainKeyColumns {
  dkim_selector: string;
  dkim_private_key: string;
  dkim_public_key: string;
}

/** Returns a new key of a domain as it is stored. A selector belongs to one key, because receivers remember records. */
export async function makeDomainKey(keys: DerivedKeys, domainId: string): Promise<DomainKeyColumns> {
  const { privateKeyPem, publicKeyBase64 } = await makeDkimKey();
  return {
    dkim_selector: dkimSelectorOf(publicKeyBase64),
    dkim_private_key: encrypt(keys, purpose, domainId, privateKeyPem),
    dkim_public_key: publicKeyBase64,
  };
}

/** Returns whether a key was encrypted with the present root secret. */
export function isReadable(keys: DerivedKeys, sealed: string): boolean {
  return sealed.startsWith(`${keys.keyId}.`);
}

/** Returns the private key in PEM. Throws an Error if the root secret of the server has changed. */
export function openDomainKey(keys: DerivedKeys, domainId: string, sealed: string): string {
  return decrypt(keys, purpose, domainId, sealed);
}
