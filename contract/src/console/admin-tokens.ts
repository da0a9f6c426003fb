/* Admin tokens: what programs of the people in control call the management API with. Owners make them, and no token does. */
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { AdminRight } from '../fields/admin-right.ts';
import { NextCursor, pageQuery, timestampIn } from '../fields/scalars.ts';
import { problems } from './errors.ts';
import { byId, consoleLimits, NoBody, nameField, time } from './fields.ts';

const c = initContract();

/** An admin token as the console shows it. */
export const AdminToken = z.object({
  id: z.string(),
  name: z.string(),
  /** The prefix and the last characters of the key. */
  hint: z.string(),
  rights: z.array(AdminRight),
  /** The owner who made it, and for whom it acts. */
  created_by: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
  created_at: time(),
  /** When it expires. */
  expires_at: time(),
  last_used_at: time().nullable(),
  revoked_at: time().nullable(),
  /** Whether its maker is an owner. Otherwise it is refused. */
  is_backed: z.boolean(),
});
export type AdminToken = z.infer<typeof AdminToken>;

/** An admin token that was just created: the only time that it can be read. */
export const NewAdminToken = AdminToken.extend({ token: z.string() });
export type NewAdminToken = z.infer<typeof NewAdminToken>;

/** Body of `adminTokens.create`. */
export const CreateAdminToken = z.strictObject({
  name: nameField(consoleLimits.keyNameCharactersMax),
  rights: z
    .array(AdminRight)
    .min(1, { error: 'must name at least one right' })
    .max(AdminRight.options.length, { error: 'must name each right once' }),
  expires_at: timestampIn('From then on it is refused; at most a year from now.'),
});
export type CreateAdminToken = z.infer<typeof CreateAdminToken>;

/** Routes of admin tokens. */
export const adminTokens = c.router({
  list: {
    method: 'GET',
    path: '/admin-tokens',
    query: z.strictObject(pageQuery),
    responses: { 200: z.object({ admin_tokens: z.array(AdminToken), next_cursor: NextCursor }), ...problems },
    metadata: { ownerOnly: true },
  },
  create: {
    method: 'POST',
    path: '/admin-tokens',
    body: CreateAdminToken,
    responses: { 201: NewAdminToken, ...problems },
    metadata: { ownerOnly: true },
  },
  /** From the next request on it is refused. A second time changes nothing. */
  revoke: {
    method: 'POST',
    path: '/admin-tokens/:id/revoke',
    pathParams: byId,
    body: NoBody,
    responses: { 200: AdminToken, ...problems },
    metadata: { ownerOnly: true },
  },
});
