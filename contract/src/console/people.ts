import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { problems } from './errors.ts';
import { byId, Email, NoBody, Role, time } from './fields.ts';

const c = initContract();

/** A person in the workspace. */
export const Member = z
  .object({
    person_id: z.string(),
    name: z.string(),
    email: z.string(),
    role: Role,
    has_second_factor: z.boolean(),
    joined_at: time(),
    last_seen_at: time().nullable(),
  })
  .meta({ id: 'Member', description: 'A person in the workspace.' });
export type Member = z.infer<typeof Member>;

/** An invitation that has not been accepted yet. */
export const Invitation = z
  .object({
    id: z.string(),
    email: z.string(),
    role: Role,
    invited_by: z.string().nullable(),
    created_at: time(),
    expires_at: time(),
  })
  .meta({ id: 'Invitation', description: 'An invitation that has not been accepted yet.' });
export type Invitation = z.infer<typeof Invitation>;

/** A new invitation. Its link is shown only once; `mailed` says whether it was also sent by email. */
export const NewInvitation = Invitation.extend({ link: z.string(), mailed: z.boolean() }).meta({
  id: 'NewInvitation',
  description:
    'A new invitation. Its link is shown only once; `mailed` says whether it was also sent by email.',
});
export type NewInvitation = z.infer<typeof NewInvitation>;

/** Routes of members and invitations. */
export const people = c.router({
  members: {
    method: 'GET',
    path: '/members',
    responses: { 200: z.object({ members: z.array(Member) }), ...problems },
  },
  setRole: {
    method: 'PATCH',
    path: '/members/:id',
    pathParams: byId,
    body: z.strictObject({ role: Role }),
    responses: { 200: Member, ...problems },
    metadata: { ownerOnly: true },
  },
  removeMember: {
    method: 'DELETE',
    path: '/members/:id',
    pathParams: byId,
    body: NoBody,
    responses: { 204: c.noBody(), ...problems },
    metadata: { ownerOnly: true },
  },
  invitations: {
    method: 'GET',
    path: '/invitations',
    responses: { 200: z.object({ invitations: z.array(Invitation) }), ...problems },
    metadata: { ownerOnly: true },
  },
  invite: {
    method: 'POST',
    path: '/invitations',
    body: z.strictObject({ email: Email, role: Role }),
    responses: { 201: NewInvitation, ...problems },
    metadata: { ownerOnly: true },
  },
  revokeInvitation: {
    method: 'DELETE',
    path: '/invitations/:id',
    pathParams: byId,
    body: NoBody,
    responses: { 204: c.noBody(), ...problems },
    metadata: { ownerOnly: true },
  },
});
