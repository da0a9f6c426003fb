import type { AppliedLabel } from '@postrider/contract';
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { AttachmentRow } from '../attachments/attachment.view.ts';
import { type BatchContext, batchedQuery } from '../db/batched.ts';
import { anyText, prepared } from '../db/prepared.ts';
import { type OwnRows, ownRows, type RowsContext, scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { wholeMessages } from './find-message.ts';
import type { MessageRow, NewRecipient } from './store/message-record.ts';

/** A message with its rows of other tables. */
export interface MessageDetails {
  row: MessageRow;
  labels: AppliedLabel[];
  attachments: AttachmentRow[];
  recipients: Recipient[];
}

/** The fields of a recipient in a response. */
type Recipient = Pick<
  NewRecipient,
  'address' | 'status' | 'detail' | 'sandboxed' | 'provider_message_id' | 'updated_at'
>;

type ReadContext = RowsContext;

/** Returns messages with their labels, attachments and recipients, in the given order. Takes three queries for any number of messages. */
export async function loadDetails(ctx: ReadContext, rows: MessageRow[]): Promise<MessageDetails[]> {
  if (rows.length === 0) return [];
  const own = ownRows(ctx);
  const ids = rows.map((row) => row.id);
  const outbound = rows.filter((row) => row.direction === 'outbound').map((row) => row.id);
  const withFiles = rows.filter((row) => row.has_attachments).map((row) => row.id);
  const [labels, attachments, recipients] = await Promise.all([
    labelsOf(ctx, { ...own, ids }),
    withFiles.length === 0 ? [] : selectAttachments(ctx).where('message_id', 'in', withFiles).execute(),
    outbound.length === 0 ? [] : recipientsOf(ctx, { ...own, ids: outbound }),
  ]);
  const [labelsOfEach, filesOfEach, recipientsOfEach] = [
    byMessage(labels),
    byMessage(attachments),
    byMessage(recipients),
  ];
  return rows.map((row) => ({
    row,
    labels: labelsOfEach.get(row.id) ?? [],
    attachments: filesOfEach.get(row.id) ?? [],
    recipients: recipientsOfEach.get(row.id) ?? [],
  }));
}

function byMessage<Row extends { message_id: string }>(rows: Row[]) {
  return Map.groupBy(rows, (row) => row.message_id);
}

/**
 * Returns the caller's message with this id and its details, in one round trip.
 *
 * @throws ApiError `not_found` as `getMessage`.
 */
export async function readMessage(
  ctx: ReadContext & BatchContext,
  id: string,
  param = 'id',
): Promise<MessageDetails> {
  if (!isId('msg', id)) throw notFound(param);
  const found = await findWithDetails(ctx, { ...ownRows(ctx), id });
  if (!found) throw notFound(param);
  const row: Partial<MessageRow> = found;
  return {
    row: row as MessageRow,
    labels: found.labels,
    attachments: found.attachments ?? [],
    // In JSON, times are text.
    recipients: (found.recipients ?? []).map((recipient) => ({
      ...recipient,
      updated_at: new Date(recipient.updated_at),
    })),
  };
}

type Read = OwnRows & { id: string };

const atOnceMax = 16;
/** So that small messages do not wait for a large one that is being read. */
const callsMax = 4;

/**
 * The reads of one turn of the event loop with the same rights are combined into one query, which takes little longer than a single read.
 */
const findWithDetails = batchedQuery(
  async (ctx, reads: Read[]) => {
    const groups = Map.groupBy(reads, ({ workspaceId, inboxIds }) => JSON.stringify([workspaceId, inboxIds]));
    const found = new Map<Read, Awaited<ReturnType<typeof selectWithDetails>>[number] | undefined>();
    const readGroup = async (group: Read[]) => {
      const { workspaceId, inboxIds } = group[0] as Read;
      const rows = await selectWithDetails(ctx, { workspaceId, inboxIds, ids: group.map(({ id }) => id) });
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const read of group) found.set(read, byId.get(read.id));
    };
    await Promise.all(Array.from(groups.values(), readGroup));
    return reads.map((read) => found.get(read) ?? null);
  },
  atOnceMax,
  callsMax,
);

const selectWithDetails = prepared((db, { workspaceId, inboxIds, ids }: OfMessages) => {
  const ctx = { db, workspaceId, scope: { inboxIds } };
  const ofRow = sql.ref<string>('messages.id');
  const labels = jsonArrayFrom(selectLabels(ctx).where('message_id', '=', ofRow));
  const attachments = jsonArrayFrom(selectAttachments(ctx).where('message_id', '=', ofRow));
  const recipients = jsonArrayFrom(selectRecipients(ctx).where('message_id', '=', ofRow));
  // Postgres would plan the query again each time if it could see the number of ids.
  const ofIds = sql<string>`any((select ${ids}::text[])::text[])`;
  return wholeMessages(ctx)
    .where('messages.id', '=', ofIds)
    .select((of) => [
      labels.as('labels'),
      of.case().when('has_attachments', '=', true).then(attachments).end().as('attachments'),
      of.case().when('direction', '=', 'outbound').then(recipients).end().as('recipients'),
    ])
    .compile();
});

function selectLabels(ctx: ReadContext) {
  return scoped(ctx)
    .selectFrom('message_labels')
    .innerJoin('labels', (on) =>
      on.onRef('labels.workspace_id', '=', 'message_labels.workspace_id').onRef('labels.id', '=', 'label_id'),
    )
    .select(['message_id', 'labels.id', 'name', 'color'])
    .orderBy('name_key');
}

interface OfMessages extends OwnRows {
  ids: string[];
}

const labelsOf = prepared((db, { workspaceId, inboxIds, ids }: OfMessages) =>
  selectLabels({ db, workspaceId, scope: { inboxIds } }).where('message_id', '=', anyText(ids)).compile(),
);

function selectAttachments(ctx: ReadContext) {
  return scoped(ctx).selectFrom('attachments').selectAll().orderBy('position');
}

function selectRecipients(ctx: ReadContext) {
  return scoped(ctx)
    .selectFrom('message_recipients')
    .select(['message_id', 'address', 'status', 'detail', 'sandboxed', 'provider_message_id', 'updated_at'])
    .orderBy('position');
}

const recipientsOf = prepared((db, { workspaceId, inboxIds, ids }: OfMessages) =>
  selectRecipients({ db, workspaceId, scope: { inboxIds } }).where('message_id', '=', anyText(ids)).compile(),
);
