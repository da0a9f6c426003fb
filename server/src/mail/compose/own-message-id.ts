import { randomUUID } from 'node:crypto';

/** Returns a new id for a message that a built-in transport accepts, like the id that a provider gives. */
export function newOwnMessageId(provider: 'sandbox' | 'simulator'): string {
  return `${provider}-${randomUUID()}`;
}
