import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { about, exampleIds, NextCursor, pageQuery } from '../fields/scalars.ts';
import { problems } from './errors.ts';
import { consoleLimits, nameField, time } from './fields.ts';

/** One entry of the audit log: what a person, an API key, an admin token, an operator or the server itself did. */
export const AuditEntry = z.object({
  workspace_id: z.string(),
  /** Counts from 1 in each workspace, without gaps. */
  seq: z.int(),
  id: z.string(),
  at: time(),
  actor: z.object({
    kind: z.enum(['person', 'key', 'token', 'operator', 'server']),
    id: z.string().nullable(),
    /** At that time: the address of a person, or the name of a key or an admin token. */
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

/** A break in the chain of an audit log, and the entries that it is about, by their `seq`. */
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

const c = initContract();

/** Routes of the workspace itself and of its audit log. */
export const workspace = c.router({
  update: {
    method: 'PATCH',
    path: '/workspace',
    body: z.strictObject({
      title: nameField(consoleLimits.nameCharactersMax).meta(
        about('The title of the workspace, for people.', 'Acme'),
      ),
    }),
    responses: {
      200: z.object({
        id: z.string().meta(about('The workspace.', exampleIds.workspace)),
        title: z.string().meta(about('The title, for people.', 'Acme')),
      }),
      ...problems,
    },
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
        .regex(/^[a-z_.]*$/, { error: 'is not an action' })
        .optional(),
      person_id: z.string().max(100).regex(/^\w*$/, { error: 'is not an id' }).optional(),
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
