import { sha256 } from '../lib/crypto/bytes.ts';

/** Returns the SHA-256 of all that leaves this server of a message: its bytes and the addresses that they go to. */
export function contentHash(raw: Buffer, recipients: readonly { address: string; kind: string }[]): Buffer {
  const envelope = recipients.map(({ kind, address }) => `${kind} ${address}`).sort();
  return sha256(Buffer.concat([sha256(raw), Buffer.from(envelope.join('\n'))]));
}
