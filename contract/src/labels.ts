import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { changesInbox, changesInboxes } from './access.ts';
import { answers } from './answers.ts';
import { LabelColor, LabelName, LabelNameIn } from './fields/label-fields.ts';
import { idField, idIn, NextCursor, pageQuery, pathId, timestamp } from './fields/scalars.ts';
import { Message } from './message.ts';

const c = initContract();

/** A mark that messages can carry. */
export const Label = z
  .object({
    id: idField('label', 'The label.'),
    name: LabelName,
    color: LabelColor.nullable(),
    created_at: timestamp('When the label was created.'),
  })
  .meta({ id: 'Label', description: 'A label that messages can have.' });
export type Label = z.infer<typeof Label>;

/** Body of `labels.create`. */
export const CreateLabel = z
  .strictObject({ name: LabelNameIn, color: LabelColor.nullable().optional() })
  .meta({ id: 'CreateLabel' });
export type CreateLabel = z.infer<typeof CreateLabel>;

/** Body of `labels.assign` and `labels.unassign`. */
export const LabelMessage = z
  .strictObject({ message_id: idIn('message', 'The message.') })
  .meta({ id: 'LabelMessage' });
export type LabelMessage = z.infer<typeof LabelMessage>;

/** A page of labels. */
export const LabelPage = z
  .object({ labels: z.array(Label), next_cursor: NextCursor })
  .meta({ id: 'LabelPage', description: 'Labels, sorted by name.' });
export type LabelPage = z.infer<typeof LabelPage>;

/** Query of `labels.list`. */
export const ListLabels = z.strictObject({
  name: LabelNameIn.optional().meta({
    description: 'Only the label with this name, ignoring case.',
  }),
  ...pageQuery,
});
export type ListLabels = z.infer<typeof ListLabels>;

const pathParams = pathId('label', 'The label.');

/** Routes of labels. */
export const labels = c.router({
  create: {
    method: 'POST',
    path: '/labels',
    summary: 'Create a label',
    description: 'A workspace can have at most 1,000 labels.',
    body: CreateLabel,
    metadata: changesInboxes,
    responses: { 201: Label, ...answers('label_name_taken', 'limit_reached') },
  },
  list: {
    method: 'GET',
    path: '/labels',
    summary: 'List labels',
    description:
      'Lists the labels of the workspace, sorted by name. With `name`, lists only the label with that name.',
    query: ListLabels,
    responses: { 200: LabelPage, ...answers() },
  },
  delete: {
    method: 'DELETE',
    path: '/labels/:id',
    summary: 'Delete a label',
    description: 'Also removes the label from all messages.',
    pathParams,
    metadata: changesInboxes,
    responses: { 204: c.noBody(), ...answers() },
  },
  assign: {
    method: 'POST',
    path: '/labels/:id/assign',
    summary: 'Add a label to a message',
    description:
      'Returns the message with all its labels. A message can have at most 50 labels. Adding a label twice changes nothing.',
    pathParams,
    body: LabelMessage,
    metadata: changesInbox,
    responses: { 200: Message, ...answers('limit_reached') },
  },
  unassign: {
    method: 'POST',
    path: '/labels/:id/unassign',
    summary: 'Remove a label from a message',
    description:
      'Returns the message with its remaining labels. Removing a label that the message does not have changes nothing.',
    pathParams,
    body: LabelMessage,
    metadata: changesInbox,
    responses: { 200: Message, ...answers() },
  },
});
