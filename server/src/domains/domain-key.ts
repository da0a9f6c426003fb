import type { Deps } from '../deps.ts';
import { domainKeySlots } from '../lib/admission/server-limits.ts';
import { Slots } from '../lib/admission/slots.ts';
import { unavailable } from '../lib/api-error.ts';
import { dkimSelectorOf, makeDkimKey } from '../lib/crypto/dkim-key.ts';
import { type DerivedKeys, decrypt, encrypt } from '../lib/crypto/secrets.ts';
import { perServer } from '../lib/memory.ts';

const purpose = 'dkim keys';

/** The columns of a domain's key. The private part is encrypted, so that the row of no other domain can use it. */
export interface DomainKeyColumns {
  dkim_selector: string;
  dkim_private_key: string;
  dkim_public_key: string;
}

const slotsOf = perServer(() => new Slots(domainKeySlots, { refusal: () => unavailable() }));

/**
 * Returns a new key of a domain as it is stored. A selector belongs to one key, because receivers remember records.
 *
 * @throws ApiError `unavailable` if others make so many keys that its turn does not come.
 */
export async function makeDomainKey(
  deps: Pick<Deps, 'keys' | 'memory'>,
  owner: { workspaceId: string; domainId: string },
): Promise<DomainKeyColumns> {
  const { privateKeyPem, publicKeyBase64 } = await slotsOf(deps).run(owner.workspaceId, makeDkimKey);
  return {
    dkim_selector: dkimSelectorOf(publicKeyBase64),
    dkim_private_key: sealDomainKey(deps.keys, owner.domainId, privateKeyPem),
    dkim_public_key: publicKeyBase64,
  };
}

/** Returns a private key as it is stored. The owner is the id of a domain, or the name of a shared domain; no other can use it. */
export function sealDomainKey(keys: DerivedKeys, owner: string, pem: string): string {
  return encrypt(keys, purpose, owner, pem);
}

/** Returns whether a key was encrypted with the present root secret. */
export function isReadable(keys: DerivedKeys, sealed: string): boolean {
  return sealed.startsWith(`${keys.keyId}.`);
}

/** Returns the private key in PEM. Throws an Error if the root secret of the server has changed. */
export function openDomainKey(keys: DerivedKeys, owner: string, sealed: string): string {
  return decrypt(keys, purpose, owner, sealed);
}
