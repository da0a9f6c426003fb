import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { answers } from './answers.ts';
import { AddressIn } from './fields/recipients.ts';
import { about, idField, NextCursor, pageQuery, timestamp } from './fields/scalars.ts';

const c = initContract();

/** An address that the workspace no longer sends to. */
export const Suppression = z
  .object({
    address: z.string().meta(about('The address.', 'bounced@example.com')),
    reason: z
      .enum(['hard_bounce', 'soft_bounce', 'complaint', 'manual'])
      .meta(about('Why the address is on the list.', 'hard_bounce')),
    message_id: idField('message', 'The message that bounced or caused the complaint.').nullable(),
    created_at: timestamp('When the address was suppressed.'),
  })
  .meta({ id: 'Suppression', description: 'An address that the workspace no longer sends to.' });
export type Suppression = z.infer<typeof Suppression>;

/** Body of `suppressions.create`. */
export const CreateSuppression = z
  .strictObject({ address: AddressIn.meta(about('The address.', 'ada@example.com')) })
  .meta({ id: 'CreateSuppression' });
export type CreateSuppression = z.infer<typeof CreateSuppression>;

/** A page of suppressions. */
export const SuppressionPage = z
  .object({ suppressions: z.array(Suppression), next_cursor: NextCursor })
  .meta({ id: 'SuppressionPage', description: 'Suppressions, newest first.' });
export type SuppressionPage = z.infer<typeof SuppressionPage>;

/** Query of `suppressions.list`. */
export const ListSuppressions = z.strictObject(pageQuery);
export type ListSuppressions = z.infer<typeof ListSuppressions>;

/** Routes of suppressions. */
export const suppressions = c.router({
  list: {
    method: 'GET',
    path: '/suppressions',
    summary: 'List suppressions',
    description: 'Lists the addresses that are dropped from every send, newest first.',
    query: ListSuppressions,
    responses: { 200: SuppressionPage, ...answers() },
  },
  create: {
    method: 'POST',
    path: '/suppressions',
    summary: 'Suppress an address',
    description:
      'The address is dropped from later sends. If it is already suppressed, the existing entry is returned with 200.',
    body: CreateSuppression,
    responses: { 200: Suppression, 201: Suppression, ...answers() },
  },
  delete: {
    method: 'DELETE',
    path: '/suppressions/:address',
    summary: 'Remove a suppression',
    description: 'The workspace sends to the address again.',
    pathParams: z.object({ address: z.string().meta(about('The suppressed address.', 'ada@example.com')) }),
    responses: { 204: c.noBody(), ...answers() },
  },
});
