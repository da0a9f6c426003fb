/* What people manage in a workspace: API keys, members and invitations, settings, and the records of what happened. */
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { idIn, NextCursor, pageQuery, timestampIn } from '../fields/scalars.ts';
import { PolicyIn } from '../policy.ts';
import { HeldWebhook } from './control.ts';
import { problems } from './errors.ts';
import { byId, consoleLimits, Email, NoBody, nameOf, Role, time } from './fields.ts';

const c = initContract();

/** An API key as the console shows it. */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** The prefix and the last characters. */
  hint: z.string(),
  /** Who created it; null for a key that the server, its configuration or the command line created. */
  created_by: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
  created_at: time(),
  last_used_at: time().nullable(),
  revoked_at: time().nullable(),
  /** The inboxes for which it is; null for all, an empty list for none. */
  inbox_ids: z.array(z.string()).nullable(),
  /** Whether it changes nothing and sends nothing. */
  read_only: z.boolean(),
  /** From then on it is refused; null for never. */
  expires_at: time().nullable(),
  /** The lines of its own policy. */
  policy: PolicyIn,
});
export type ApiKey = z.infer<typeof ApiKey>;

/** A key that was just created: the only time that it can be read. */
export const NewApiKey = ApiKey.extend({ key: z.string() });
export type NewApiKey = z.infer<typeof NewApiKey>;

/** What people limit a key to. Fields that are left out limit nothing in a new key, and stay in one that is changed. */
export const ApiKeyIn = z.strictObject({
  name: nameOf(consoleLimits.keyNameCharactersMax).optional(),
  inbox_ids: z
    .array(idIn('inbox', 'An inbox.'))
    .max(consoleLimits.inboxesPerKeyMax, {
      error: `must be at most ${consoleLimits.inboxesPerKeyMax} inboxes, or null for all`,
    })
    .nullable()
    .optional(),
  read_only: z.boolean().optional(),
  expires_at: timestampIn('From then on it is refused.').nullable().optional(),
  policy: PolicyIn.optional(),
});
export type ApiKeyIn = z.infer<typeof ApiKeyIn>;

/** A key that was changed, with the enabled webhooks that it made if a policy was given that holds it. */
export const ChangedApiKey = ApiKey.extend({ held_webhooks: z.array(HeldWebhook) });
export type ChangedApiKey = z.infer<typeof ChangedApiKey>;

/** What a key has set up that goes on by itself: its enabled webhooks and its scheduled drafts. */
export const KeyWorks = z.object({
  webhooks: z.array(z.object({ id: z.string(), url: z.string() })),
  /** At most 100, the next first. */
  drafts: z.array(
    z.object({ id: z.string(), inbox_id: z.string(), subject: z.string().nullable(), scheduled_at: time() }),
  ),
  draft_count: z.int(),
});
export type KeyWorks = z.infer<typeof KeyWorks>;

/**
 * A key that was revoked, and whether what it had set up is kept. Without an answer its webhooks are disabled, and its drafts have no
 * time any more.
 */
export const RevokedApiKey = ApiKey.extend({ ...KeyWorks.shape, kept: z.boolean() });
export type RevokedApiKey = z.infer<typeof RevokedApiKey>;

/** Routes of API keys. */
export const keys = c.router({
  list: {
    method: 'GET',
    path: '/keys',
    query: z.strictObject(pageQuery),
    responses: { 200: z.object({ keys: z.array(ApiKey), next_cursor: NextCursor }), ...problems },
    metadata: { ownerOnly: true },
  },
  create: {
    method: 'POST',
    path: '/keys',
    body: ApiKeyIn.required({ name: true }),
    responses: { 201: NewApiKey, ...problems },
    metadata: { ownerOnly: true },
  },
  update: {
    method: 'PATCH',
    path: '/keys/:id',
    pathParams: byId,
    body: ApiKeyIn,
    responses: { 200: ChangedApiKey, ...problems },
    metadata: { ownerOnly: true },
  },
  works: {
    method: 'GET',
    path: '/keys/:id/works',
    pathParams: byId,
    responses: { 200: KeyWorks, ...problems },
    metadata: { ownerOnly: true },
  },
  /** Without an answer to what becomes of what the key had set up, that is stopped. */
  revoke: {
    method: 'POST',
    path: '/keys/:id/revoke',
    pathParams: byId,
    body: z.strictObject({ keep: z.boolean().optional() }).optional(),
    responses: { 200: RevokedApiKey, ...problems },
    metadata: { ownerOnly: true },
  },
});

/** A person in the workspace. */
export const Member = z.object({
  person_id: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  has_second_factor: z.boolean(),
  joined_at: time(),
  last_seen_at: time().nullable(),
});
export type Member = z.infer<typeof Member>;

/** An invitation that was not accepted yet. */
export const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: Role,
  invited_by: z.string().nullable(),
  created_at: time(),
  expires_at: time(),
});
export type Invitation = z.infer<typeof Invitation>;

/** An invitation that was just made. Its link is shown once; `mailed` says whether it was also sent. */
export const NewInvitation = Invitation.extend({ link: z.string(), mailed: z.boolean() });
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

/** One entry of the audit log: what a person, an API key, an operator or the server itself did. */
export const AuditEntry = z.object({
  workspace_id: z.string(),
  /** Counts from 1 in each workspace, without gaps. */
  seq: z.int(),
  id: z.string(),
  at: time(),
  actor: z.object({
    kind: z.enum(['person', 'key', 'operator', 'server']),
    id: z.string().nullable(),
    /** At that time: the address of a person, or the name of a key. */
    name: z.string().nullable(),
  }),
  /** Such as `key.revoked`. */
  action: z.string(),
  /** The id of what was changed. */
  target: z.string().nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  address: z.string().nullable(),
  request_id: z.string().nullable(),
  /** The hash of the entry before; 64 zeros for the first one. */
  previous_hash: z.string(),
  /** The SHA-256, in hexadecimal, of all other fields as canonical JSON (RFC 8785). */
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** What is wrong with the chain of an audit log, and the entries that it is about, by their `seq`. */
export const AuditBreak = z.object({
  problem: z.enum([
    /** The entry does not match its hash. */
    'changed',
    /** The entry does not continue the one before it. One of them was replaced. */
    'unlinked',
    /** Entries are missing in the middle, or at one of the ends. */
    'gap',
    'missing_beginning',
    'missing_end',
    /** The entry is outside the ends of the log. It was inserted, or the record of the ends was changed. */
    'unexpected',
  ]),
  from_seq: z.int(),
  to_seq: z.int(),
});
export type AuditBreak = z.infer<typeof AuditBreak>;

/** Whether all entries of an audit log are there and unchanged, or the first place where they are not. */
export const AuditCheck = z.discriminatedUnion('intact', [
  z.object({
    intact: z.literal(true),
    count: z.int(),
    /** The first entry that is kept, and its time; null if there is no entry. */
    first_seq: z.int().nullable(),
    since: time().nullable(),
    last_seq: z.int(),
    last_hash: z.string(),
  }),
  AuditBreak.extend({ intact: z.literal(false) }),
]);
export type AuditCheck = z.infer<typeof AuditCheck>;

/** A page of an export of the audit log, oldest entry first. */
export const AuditExport = z.object({
  entries: z.array(AuditEntry),
  /** The `after` of the next page; null on the last one. */
  next_after: z.int().nullable(),
});
export type AuditExport = z.infer<typeof AuditExport>;

/** Routes of the workspace itself. */
export const workspace = c.router({
  update: {
    method: 'PATCH',
    path: '/workspace',
    body: z.strictObject({ title: nameOf(consoleLimits.nameCharactersMax) }),
    responses: { 200: z.object({ id: z.string(), title: z.string() }), ...problems },
    metadata: { ownerOnly: true },
  },
  audit: {
    method: 'GET',
    path: '/audit',
    query: z.strictObject({
      ...pageQuery,
      action: z
        .string()
        .max(100)
        .regex(/^[a-z_.]*$/, { error: 'is no action' })
        .optional(),
      person_id: z.string().max(100).regex(/^\w*$/, { error: 'is no id' }).optional(),
    }),
    responses: { 200: z.object({ entries: z.array(AuditEntry), next_cursor: NextCursor }), ...problems },
    metadata: { ownerOnly: true },
  },
  auditCheck: {
    method: 'GET',
    path: '/audit/check',
    responses: { 200: AuditCheck, ...problems },
    metadata: { ownerOnly: true },
  },
  auditExport: {
    method: 'GET',
    path: '/audit/export',
    /** Only entries with a greater `seq`. */
    query: z.strictObject({ after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0) }),
    responses: { 200: AuditExport, ...problems },
    metadata: { ownerOnly: true },
  },
});
