import type { EmbeddingProvider } from '../../embedding/provider.ts';
import { sha256 } from '../../lib/crypto/bytes.ts';

/** Raised when texts are put together or codes are made in another way, so that all messages are embedded again. */
const ownVersion = 1;

/** Returns the number of the vector space of a provider. Only vectors of the same space can be compared. */
export function spaceOf({ name, version, dimensions }: EmbeddingProvider): number {
  return sha256(JSON.stringify([name, version, dimensions, ownVersion])).readInt32BE();
}
