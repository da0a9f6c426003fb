import type { AppRoute } from '@ts-rest/core';
import * as z from 'zod';
import { about } from './fields/scalars.ts';

/**
 * The access that a route needs, in ascending order: `read` changes nothing; `inbox` changes what belongs to one inbox; `inboxes` also
 * changes what all inboxes share, and creates and deletes inboxes; `workspace` also changes rules, suppressions and domains. A key that
 * people have limited can have less access than `workspace`.
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

/** Metadata of a route that changes nothing although it is not a `GET`. */
export const readsOnly = { access: 'read' } as const;

/** Metadata of a route that changes only things that belong to one inbox. */
export const changesInbox = { access: 'inbox' } as const;

/** Metadata of a route that changes what all inboxes share, or which there are. */
export const changesInboxes = { access: 'inboxes' } as const;

/** Metadata of a route that can cause an email to leave, now or later. What people allow to be sent is decided for each of them. */
export const sendsMail = { sends: true } as const;

/** Returns the access that a route needs. A route other than `GET` without metadata is closed to keys that people have limited. */
export function routeAccess({ method, metadata }: Pick<AppRoute, 'method' | 'metadata'>): Access {
  if (method === 'GET') return 'read';
  const { access } = (metadata ?? {}) as { access?: Access };
  return access ?? 'workspace';
}

/** Returns whether the access of a caller includes the access that is needed. */
export function isWithin(needed: Access, held: Access): boolean {
  return Access.options.indexOf(needed) <= Access.options.indexOf(held);
}
