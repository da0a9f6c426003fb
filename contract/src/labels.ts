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
  .meta({ id: 'Label', description: 'A mark that messages can carry.' });
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
  .meta({ id: 'LabelPage', description: 'Labels by name.' });
export type LabelPage = z.infer<typeof LabelPage>;

/** Query of `labels.list`. */
export const ListLabels = z.strictObject({
  name: LabelNameIn.optional().meta({
    description: 'Only the label of this name; upper and lower case are the same.',
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
    description: 'A workspace has at most 1,000 labels.',
    body: CreateLabel,
    metadata: changesInboxes,
    responses: { 201: Label, ...answers('label_name_taken', 'limit_reached') },
  },
  list: {
    method: 'GET',
    path: '/labels',
    summary: 'List labels',
    description: 'The labels of the workspace, by name; with `name` the one that has it.',
    query: ListLabels,
    responses: { 200: LabelPage, ...answers() },
  },
  delete: {
    method: 'DELETE',
    path: '/labels/:id',
    summary: 'Delete a label',
    description: 'Removes the label from all messages too.',
    pathParams,
    metadata: changesInboxes,
    responses: { 204: c.noBody(), ...answers() },
  },
  assign: {
    method: 'POST',
    path: '/labels/:id/assign',
    summary: 'Put a label on a message',
    description:
      'Returns the message with all its labels. A message has at most 50; adding one twice changes nothing.',
    pathParams,
    body: LabelMessage,
    metadata: changesInbox,
    responses: { 200: Message, ...answers('limit_reached') },
  },
  unassign: {
    method: 'POST',
    path: '/labels/:id/unassign',
    summary: 'Take a label off a message',
    description:
      'Returns the message with its remaining labels; removing a label that is not on it changes nothing.',
    pathParams,
    body: LabelMessage,
    metadata: changesInbox,
    responses: { 200: Message, ...answers() },
  },
});
