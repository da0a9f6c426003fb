import type { Access } from '@postrider/contract';

/** The limits that people set for an API key. */
export interface Scope {
  /** The inboxes of the key, for which nothing of others exists; null for all inboxes, and an empty list for none. */
  inboxIds: string[] | null;
  /** The most that it may do. */
  access: Access;
  /** From then on, the key is refused; null for never. */
  expiresAt: Date | null;
}

/** The scope of people, of the server itself, and of keys that nobody has limited. */
export const wholeWorkspace: Readonly<Scope> = { inboxIds: null, access: 'workspace', expiresAt: null };
