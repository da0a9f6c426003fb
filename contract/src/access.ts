import type { AppRoute } from '@ts-rest/core';
import * as z from 'zod';
import { about } from './fields/scalars.ts';

/**
 * What a route needs, from the least to the most: `read` changes nothing, `inbox` what belongs to one inbox, `inboxes` what all inboxes
 * share and which there are, and `workspace` also whom the workspace writes to and hears from, and by which domains. A key that people
 * have limited may do less than that.
 */
export const Access = z.enum(['read', 'inbox', 'inboxes', 'workspace']).meta({
  id: 'Access',
  ...about(
    '`read`: changes nothing. `inbox`: changes the contents of its inboxes. `inboxes`: also creates and deletes inboxes and ' +
      'labels. `workspace`: also changes rules, suppressions and domains.',
    'workspace',
  ),
});
export type Access = z.infer<typeof Access>;

/** Metadata of a route that changes nothing although it is no `GET`. */
export const readsOnly = { access: 'read' } as const;

/** Metadata of a route that changes only what belongs to one inbox. */
export const changesInbox = { access: 'inbox' } as const;

/** Metadata of a route that changes what all inboxes share, or which there are. */
export const changesInboxes = { access: 'inboxes' } as const;

/** Metadata of a route that can cause a mail to leave, now or later. What people allow to be sent is decided for each of them. */
export const sendsMail = { sends: true } as const;

/** Returns what a route needs. One that says nothing of itself, and is no `GET`, is closed to keys that people have limited. */
export function routeAccess({ method, metadata }: Pick<AppRoute, 'method' | 'metadata'>): Access {
  if (method === 'GET') return 'read';
  const { access } = (metadata ?? {}) as { access?: Access };
  return access ?? 'workspace';
}

/** Returns whether a caller with one access may do what needs another. */
export function isWithin(needed: Access, held: Access): boolean {
  return Access.options.indexOf(needed) <= Access.options.indexOf(held);
}
