import type { AppliedLabel } from '@postrider/contract';
import { sql } from 'kysely';
import type { AttachmentRow } from '../attachments/attachment.view.ts';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import type { MessageRow, NewRecipient } from './message-record.ts';

/** A message with what stands in other tables. */
export interface MessageDetails {
  row: MessageRow;
  labels: AppliedLabel[];
  attachments: AttachmentRow[];
  recipients: NewRecipient[];
}

type ReadContext = Pick<Context, 'db' | 'workspaceId'>;

/** Messages with their labels, attachments and recipients, in the order given: three queries, however many messages. */
export const loadDetails = async (ctx: ReadContext, rows: MessageRow[]): Promise<MessageDetails[]> => {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const outbound = rows.filter((row) => row.direction === 'outbound').map((row) => row.id);
  const withFiles = rows.filter((row) => row.has_attachments).map((row) => row.id);
  const [labels, attachments, recipients] = await Promise.all([
    labelsOf(ctx, ids),
    withFiles.length === 0 ? [] : attachmentsOf(ctx, withFiles),
    outbound.length === 0 ? [] : recipientsOf(ctx, outbound),
  ]);
  return rows.map((row) => ({
    row,
    labels: labels.filter((label) => label.message_id === row.id),
    attachments: attachments.filter((file) => file.message_id === row.id),
    recipients: recipients.filter((recipient) => recipient.message_id === row.id),
  }));
};

const labelsOf = (ctx: ReadContext, messageIds: string[]) =>
  scoped(ctx)
    .selectFrom('message_labels')
    .innerJoin('labels', (on) =>
      on.onRef('labels.workspace_id', '=', 'message_labels.workspace_id').onRef('labels.id', '=', 'label_id'),
    )
    .select(['message_id', 'labels.id', 'name', 'color'])
    .where('message_id', 'in', messageIds)
    .orderBy(sql`lower(name)`)
    .execute();

const attachmentsOf = (ctx: ReadContext, messageIds: string[]) =>
  scoped(ctx)
    .selectFrom('attachments')
    .selectAll()
    .where('message_id', 'in', messageIds)
    .orderBy('position')
    .execute();

const recipientsOf = (ctx: ReadContext, messageIds: string[]) =>
  scoped(ctx)
    .selectFrom('message_recipients')
    .selectAll()
    .where('message_id', 'in', messageIds)
    .orderBy('position')
    .execute();
