import { randomUUID } from 'node:crypto';

/** A new id for a message that one of this server's own ways out accepts, as a provider gives one. */
export function newOwnMessageId(provider: 'sandbox' | 'simulator'): string {
  return `${provider}-${randomUUID()}`;
}
