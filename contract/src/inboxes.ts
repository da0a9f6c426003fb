import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { changesInbox, changesInboxes } from './access.ts';
import { answers } from './answers.ts';
import { brand } from './brand.ts';
import { Metadata, MetadataIn } from './fields/metadata.ts';
import { AddressIn } from './fields/recipients.ts';
import { about, idField, idIn, NextCursor, pageQuery, pathId, timestamp } from './fields/scalars.ts';
import { headerText } from './fields/texts.ts';
import { limits } from './limits.ts';

const c = initContract();

/** Names that nobody can claim, neither as a local part on the shared domain nor as the label of a dedicated subdomain. */
export const reservedNames = [
  'postmaster',
  'abuse',
  'mailer-daemon',
  'hostmaster',
  'webmaster',
  'noreply',
  'no-reply',
  'bounce',
  'bounces',
  'simulator',
  'mail',
  'mx',
  'www',
] as const;

function lowerAscii(text: string) {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The part of an inbox's address before the at sign. Upper case becomes lower case before the check. */
export const LocalPart = z
  .string()
  .overwrite(lowerAscii)
  .max(limits.localPartCharactersMax, {
    error: `must have at most ${limits.localPartCharactersMax} characters`,
  })
  .regex(/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/, {
    error:
      'must consist of a-z, 0-9, dot, hyphen and underscore, with no dot at either end and no two in a row',
  })
  .meta(about('The part before the `@`; lowercased automatically.', 'support'));

const DisplayName = headerText(0, limits.displayNameCharactersMax)
  .nullable()
  .meta(about('The name in the From header of outbound mail; null for none.', 'Support Agent'));

/** An address that can send and receive mail. */
export const Inbox = z
  .object({
    id: idField('inbox', 'The inbox.'),
    local_part: z.string().meta(about('The part of the address before the `@`.', 'support')),
    display_name: z
      .string()
      .nullable()
      .meta(about('The name in the From header of outbound mail.', 'Support Agent')),
    domain_id: idField('domain', 'The custom domain of the address; null on the shared domain.').nullable(),
    address: z
      .string()
      .meta(
        about(
          'The address. Mail to `local+anything@` also arrives here.',
          `support@${brand.defaults.mailDomain}`,
        ),
      ),
    metadata: Metadata,
    created_at: timestamp('When the inbox was created.'),
  })
  .meta({ id: 'Inbox', description: 'An address that can send and receive mail.' });
export type Inbox = z.infer<typeof Inbox>;

/** Body of `inboxes.create`. */
export const CreateInbox = z
  .strictObject({
    local_part: LocalPart,
    display_name: DisplayName.optional(),
    domain_id: idIn('domain', 'A verified custom domain; by default, the shared domain.')
      .nullable()
      .optional(),
    metadata: MetadataIn.optional(),
  })
  .meta({ id: 'CreateInbox' });
export type CreateInbox = z.infer<typeof CreateInbox>;

/** Body of `inboxes.update`. Fields that are left out do not change. */
export const UpdateInbox = z
  .strictObject({ display_name: DisplayName.optional(), metadata: MetadataIn.optional() })
  .meta({ id: 'UpdateInbox' });
export type UpdateInbox = z.infer<typeof UpdateInbox>;

/** A page of inboxes. */
export const InboxPage = z
  .object({ inboxes: z.array(Inbox), next_cursor: NextCursor })
  .meta({ id: 'InboxPage', description: 'Inboxes, newest first.' });
export type InboxPage = z.infer<typeof InboxPage>;

/** Query of `inboxes.list`. */
export const ListInboxes = z.strictObject({
  address: AddressIn.optional().meta(
    about('Only the inbox with this address, ignoring case.', `support@${brand.defaults.mailDomain}`),
  ),
  ...pageQuery,
});
export type ListInboxes = z.infer<typeof ListInboxes>;

const pathParams = pathId('inbox', 'The inbox.');

/** Routes of inboxes. */
export const inboxes = c.router({
  create: {
    method: 'POST',
    path: '/inboxes',
    summary: 'Create an inbox',
    description:
      'On the shared domain, the inbox can send and receive mail at once. Names such as `postmaster` are reserved. After an inbox on ' +
      'the shared domain is deleted, its address is held for 30 days, during which only its workspace can create it again. An ' +
      'address that is in use, reserved or held is refused with `address_taken`; if one of your own inboxes has it, the error names ' +
      'that inbox in `inbox_id`. The address of a person who signs in to the console counts as in use.',
    body: CreateInbox,
    metadata: changesInboxes,
    responses: { 201: Inbox, ...answers('inbox_limit_reached', 'address_taken', 'domain_not_verified') },
  },
  list: {
    method: 'GET',
    path: '/inboxes',
    summary: 'List inboxes',
    description:
      'Lists the inboxes of the workspace, newest first. With `address`, lists only the inbox with that address.',
    query: ListInboxes,
    responses: { 200: InboxPage, ...answers() },
  },
  get: {
    method: 'GET',
    path: '/inboxes/:id',
    summary: 'Get an inbox',
    description: 'Returns one inbox.',
    pathParams,
    responses: { 200: Inbox, ...answers() },
  },
  update: {
    method: 'PATCH',
    path: '/inboxes/:id',
    summary: 'Change an inbox',
    description: 'Changes the display name or the metadata. The address of an inbox never changes.',
    pathParams,
    body: UpdateInbox,
    metadata: changesInbox,
    responses: { 200: Inbox, ...answers() },
  },
  delete: {
    method: 'DELETE',
    path: '/inboxes/:id',
    summary: 'Delete an inbox',
    description:
      'Hides the inbox with its messages, threads and drafts at once, and cancels its scheduled sends and its retries. The stored ' +
      'data is deleted in the background.',
    pathParams,
    metadata: changesInboxes,
    responses: { 204: c.noBody(), ...answers() },
  },
});
