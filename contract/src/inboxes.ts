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
  .meta(about('Friendly From name on outbound mail; null for none.', 'Support Agent'));

/** An address that can send and receive mail. */
export const Inbox = z
  .object({
    id: idField('inbox', 'The inbox.'),
    local_part: z.string().meta(about('The part of the address before the `@`.', 'support')),
    display_name: z.string().nullable().meta(about('Friendly From name on outbound mail.', 'Support Agent')),
    domain_id: idField('domain', 'The custom domain of the address; null on the shared domain.').nullable(),
    address: z
      .string()
      .meta(
        about(
          'The address. Mail to `local+anything@` arrives here too.',
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
    domain_id: idIn('domain', 'A verified custom domain; the shared domain when left out.')
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
    about('Only the inbox with this address, in any spelling of it.', `support@${brand.defaults.mailDomain}`),
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
      'On the shared domain the inbox is live at once. Names such as `postmaster` are reserved, and the address of a deleted ' +
      'inbox on the shared domain is held for its workspace for 30 days; both are refused with `address_taken`, like an address ' +
      'in use, with `inbox_id` where the inbox is your own. The address of a person who signs in to the console counts as in use.',
    body: CreateInbox,
    metadata: changesInboxes,
    responses: { 201: Inbox, ...answers('inbox_limit_reached', 'address_taken', 'domain_not_verified') },
  },
  list: {
    method: 'GET',
    path: '/inboxes',
    summary: 'List inboxes',
    description: 'The inboxes of the workspace, newest first; with `address` the one that has it.',
    query: ListInboxes,
    responses: { 200: InboxPage, ...answers() },
  },
  get: {
    method: 'GET',
    path: '/inboxes/:id',
    summary: 'Get an inbox',
    description: 'One inbox by its id.',
    pathParams,
    responses: { 200: Inbox, ...answers() },
  },
  update: {
    method: 'PATCH',
    path: '/inboxes/:id',
    summary: 'Change an inbox',
    description: 'Changes its display name or metadata; the address of an inbox never changes.',
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
      'Hides the inbox and all its messages, threads and drafts at once, cancels what is scheduled or being retried, and ' +
      'removes the rest in the background.',
    pathParams,
    metadata: changesInboxes,
    responses: { 204: c.noBody(), ...answers() },
  },
});
