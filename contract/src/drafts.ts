import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { changesInbox, sendsMail } from './access.ts';
import { answers } from './answers.ts';
import { Attachment, AttachmentInputs, takesAttachments } from './attachments.ts';
import { Metadata, MetadataIn } from './fields/metadata.ts';
import {
  about,
  idField,
  idIn,
  NextCursor,
  pageQuery,
  pathId,
  timestamp,
  timestampIn,
} from './fields/scalars.ts';
import { SendReceipt } from './message.ts';
import { sendErrorCodes } from './messages.ts';
import { ClientId, checkRecipients, Html, Recipients, Subject, Text } from './send-message.ts';

const c = initContract();

/** The status of a draft. */
export const DraftStatus = z
  .enum(['draft', 'scheduled', 'sending', 'sent', 'failed'])
  .meta({ id: 'DraftStatus', ...about('The status of the draft.', 'scheduled') });
export type DraftStatus = z.infer<typeof DraftStatus>;

function addresses(description: string, example: string) {
  return z.array(z.string()).meta(about(description, [example]));
}

/** A message that is sent later, on request or at a scheduled time. */
export const Draft = z
  .object({
    id: idField('draft', 'The draft.'),
    inbox_id: idField('inbox', 'The inbox that will send the draft.'),
    to: addresses('The recipients.', 'ada@example.com'),
    cc: addresses('The recipients in Cc.', 'charles@example.com'),
    bcc: addresses('The recipients in Bcc.', 'archive@example.com'),
    subject: z.string().nullable().meta(about('The subject.', 'Your order has shipped')),
    text: z.string().nullable().meta(about('The plain-text body.', 'Hello Ada,\nyour order has shipped.\n')),
    html: z.string().nullable().meta(about('The HTML body.', '<p>Hello Ada,<br>your order has shipped.</p>')),
    attachments: z.array(Attachment).meta({
      description:
        'The files of the draft, or of the message once the draft is sent; each with a fresh link.',
    }),
    reply_to_message_id: idField('message', 'The message that the draft replies to.').nullable(),
    metadata: Metadata,
    scheduled_at: timestamp('When the draft will be sent.').nullable(),
    status: DraftStatus,
    message_id: idField('message', 'The message that was sent from the draft.').nullable(),
    failure: z
      .string()
      .nullable()
      .meta(about('The error code, if a scheduled send failed.', 'no_deliverable_recipients')),
    created_at: timestamp('When the draft was created.'),
    updated_at: timestamp('When the draft last changed.'),
  })
  .meta({ id: 'Draft', description: 'A message to send later, on request or at a scheduled time.' });
export type Draft = z.infer<typeof Draft>;

const fields = {
  to: Recipients.optional().meta(about('The recipients; required to send the draft.', ['ada@example.com'])),
  cc: Recipients.optional().meta(about('The recipients in Cc.', ['charles@example.com'])),
  bcc: Recipients.optional().meta(about('The recipients in Bcc.', ['archive@example.com'])),
  subject: Subject.nullable().optional().meta({ description: 'The subject; required to send the draft.' }),
  text: Text.nullable().optional(),
  html: Html.nullable().optional(),
  attachments: AttachmentInputs.optional().meta({
    description: 'Files, at most 7 MB in total once decoded; an update replaces them all.',
  }),
  reply_to_message_id: idIn(
    'message',
    'The message to reply to. If recipients and subject are left out, they are filled in from it.',
  )
    .nullable()
    .optional(),
  reply_all: z
    .boolean()
    .optional()
    .meta(about('Whether to fill in the other recipients of the original, too.', false)),
  metadata: MetadataIn.optional(),
  scheduled_at: timestampIn(
    'When to send the draft; null to send it only on request. If the time is in the past, the draft is sent at once.',
  )
    .nullable()
    .optional(),
};

/** Body of `drafts.create`. */
export const CreateDraft = z
  .strictObject({ inbox_id: idIn('inbox', 'The inbox that will send the draft.'), ...fields })
  .superRefine(checkRecipients)
  .meta({ id: 'CreateDraft' });
export type CreateDraft = z.infer<typeof CreateDraft>;

/** Body of `drafts.update`. Fields that are left out do not change. */
export const UpdateDraft = z
  .strictObject({
    ...fields,
    seen_updated_at: timestampIn(
      'The `updated_at` of the draft as a person saw it. A person who rewrites the body becomes the writer of the draft only if the ' +
        'draft has not changed since then. Otherwise, the policy of the key that wrote it still applies.',
    ).optional(),
  })
  .superRefine(checkRecipients)
  .meta({ id: 'UpdateDraft' });
export type UpdateDraft = z.infer<typeof UpdateDraft>;

/** Body of `drafts.send`. */
export const SendDraft = z
  .strictObject({ client_id: ClientId.optional() })
  .default({})
  .meta({ id: 'SendDraft' });
export type SendDraft = z.infer<typeof SendDraft>;

/** A page of drafts. */
export const DraftPage = z
  .object({ drafts: z.array(Draft), next_cursor: NextCursor })
  .meta({ id: 'DraftPage', description: 'Drafts, newest first.' });
export type DraftPage = z.infer<typeof DraftPage>;

/** Query of `drafts.list`. */
export const ListDrafts = z.strictObject({
  inbox_id: idIn('inbox', 'Only drafts of this inbox.').optional(),
  status: DraftStatus.optional(),
  ...pageQuery,
});
export type ListDrafts = z.infer<typeof ListDrafts>;

const pathParams = pathId('draft', 'The draft.');

/** Routes of drafts. */
export const drafts = c.router({
  create: {
    method: 'POST',
    path: '/drafts',
    summary: 'Create a draft',
    description:
      'With `scheduled_at`, the draft is `scheduled` and is sent automatically at that time. For a reply, `to`, `cc` and `subject` ' +
      'are filled in from the original when the draft is created, unless you set them.',
    body: CreateDraft,
    metadata: { ...takesAttachments, ...changesInbox, ...sendsMail },
    responses: { 201: Draft, ...answers('storage_limit_reached', 'limit_reached', 'attachment_too_large') },
  },
  list: {
    method: 'GET',
    path: '/drafts',
    summary: 'List drafts',
    description: 'Lists the drafts of the workspace or of one inbox, newest first.',
    query: ListDrafts,
    responses: { 200: DraftPage, ...answers() },
  },
  get: {
    method: 'GET',
    path: '/drafts/:id',
    summary: 'Get a draft',
    description: 'Returns one draft.',
    pathParams,
    responses: { 200: Draft, ...answers() },
  },
  update: {
    method: 'PATCH',
    path: '/drafts/:id',
    summary: 'Change a draft',
    description:
      'Setting `scheduled_at` schedules the draft. Setting it to null makes it an unscheduled draft again.',
    pathParams,
    body: UpdateDraft,
    metadata: { ...takesAttachments, ...changesInbox, ...sendsMail },
    responses: {
      200: Draft,
      ...answers('storage_limit_reached', 'draft_already_sent', 'limit_reached', 'attachment_too_large'),
    },
  },
  delete: {
    method: 'DELETE',
    path: '/drafts/:id',
    summary: 'Delete a draft',
    description:
      'If the draft is scheduled, it will not be sent. A draft that is being sent cannot be deleted.',
    pathParams,
    metadata: changesInbox,
    responses: { 204: c.noBody(), ...answers('draft_already_sent') },
  },
  send: {
    method: 'POST',
    path: '/drafts/:id/send',
    summary: 'Send a draft',
    description:
      'Responds like `messages.send`. Sending a draft again with the `client_id` of the first send returns the original message with 200.',
    pathParams,
    body: SendDraft,
    metadata: { ...changesInbox, ...sendsMail },
    responses: {
      200: SendReceipt,
      201: SendReceipt,
      ...answers(...sendErrorCodes, 'auto_reply_loop', 'draft_already_sent'),
    },
  },
});
