import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { NextCursor, pageQuery } from '../fields/scalars.ts';
import { AuditCheck, AuditEntry, AuditExport } from './audit.ts';
import { problems } from './errors.ts';
import { consoleLimits, nameOf } from './fields.ts';

const c = initContract();

/** Routes of the workspace itself and of its audit log. */
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
