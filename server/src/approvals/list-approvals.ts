import type { ApprovalState, ApprovalSummary } from '@postrider/contract/console';
import { type Expression, type SqlBool, sql } from 'kysely';
import { type RowsContext, scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { hex } from '../lib/crypto/primitives.ts';
import { decodeCursor, type Page, pageOf } from '../lib/cursor.ts';
import { isId } from '../lib/ids.ts';
import { markDirections } from '../lib/texts.ts';
import { deletedThreads } from '../messages/find-message.ts';

/** Which approvals to list. */
export interface ListApprovals {
  limit: number;
  cursor?: string | undefined;
  state?: ApprovalState | undefined;
  inbox_id?: string | undefined;
}

/** Returns a page of the messages that wait or waited for approval, newest first. Those that were deleted are not among them. */
export async function listApprovals(ctx: RowsContext, query: ListApprovals): Promise<Page<ApprovalSummary>> {
  const { limit, cursor, state, inbox_id } = query;
  let rows = selectSummaries(ctx)
    .orderBy('approvals.message_id', 'desc')
    .limit(limit + 1);
  if (cursor) rows = rows.where('approvals.message_id', '<', decodeCursor(cursor, 1)[0] ?? '');
  if (state) rows = rows.where('approvals.state', '=', state);
  if (inbox_id !== undefined) rows = rows.where('approvals.inbox_id', '=', inbox_id);
  const page = pageOf(await rows.execute(), limit, ({ message_id }) => [message_id]);
  return { ...page, rows: page.rows.map(viewSummary) };
}

/**
 * Returns one of the messages that wait or waited for approval.
 *
 * @throws ApiError `not_found`, also for a message that needed no approval.
 */
export async function getSummary(ctx: RowsContext, messageId: string): Promise<ApprovalSummary> {
  if (!isId('msg', messageId)) throw notFound('id');
  const row = await selectSummaries(ctx).where('approvals.message_id', '=', messageId).executeTakeFirst();
  if (!row) throw notFound('id');
  return viewSummary(row);
}

function selectSummaries(ctx: RowsContext) {
  const matchesId = (table: string, column: string): Expression<SqlBool> =>
    sql`${sql.table(table)}.workspace_id = approvals.workspace_id and ${sql.table(table)}.id = ${sql.ref(column)}`;
  return scoped(ctx)
    .selectFrom('approvals')
    .innerJoin('messages', (on) => on.on(matchesId('messages', 'approvals.message_id')))
    .innerJoin('inboxes', (on) => on.on(matchesId('inboxes', 'approvals.inbox_id')))
    .leftJoin('api_keys', (on) => on.on(matchesId('api_keys', 'messages.actor_id')))
    .leftJoin('api_keys as writers', (on) => on.on(matchesId('writers', 'messages.writer_id')))
    .leftJoin('people', 'people.id', 'approvals.decided_by')
    .leftJoin('admin_tokens', 'admin_tokens.id', 'approvals.decided_by')
    .select(['approvals.message_id', 'messages.thread_id', 'approvals.inbox_id', 'inboxes.address'])
    .select(['to_addrs', 'cc_addrs', 'bcc_addrs', 'subject', 'snippet'])
    .select([
      'held_at',
      'approvals.expires_at',
      'state',
      'content_hash',
      'decided_at',
      'decided_by',
      'reason',
    ])
    .select(['api_keys.id as key_id', 'api_keys.name as key_name'])
    .select(({ fn }) => fn.coalesce('people.name', 'admin_tokens.name').as('decided_by_name'))
    .select(['writers.id as writer_id', 'writers.name as writer_name'])
    .select((of) =>
      of
        .selectFrom('attachments')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('attachments.workspace_id', '=', 'approvals.workspace_id')
        .whereRef('attachments.message_id', '=', 'approvals.message_id')
        .as('attachments'),
    )
    .select(answered.as('answers'))
    .where('inboxes.deleted_at', 'is', null)
    .where('messages.thread_id', 'not in', deletedThreads(ctx));
}

/** The message of the inbox that a message names in In-Reply-To, as a row shows it. */
const answered = sql<ApprovalSummary['answers']>`(
  select jsonb_build_object('id', a.id, 'from_addr', a.from_addr, 'from_name', a.from_name,
    'created_at', to_char(a.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from message_ids i, messages a
  where i.workspace_id = approvals.workspace_id and i.inbox_id = approvals.inbox_id
    and i.hash = sha256(convert_to(messages.in_reply_to, 'utf8'))
    and a.workspace_id = i.workspace_id and a.id = i.message_id
  order by i.message_id limit 1)`;

type SummaryRow = Awaited<ReturnType<ReturnType<typeof selectSummaries>['execute']>>[number];

function viewSummary(row: SummaryRow): ApprovalSummary {
  return {
    message_id: row.message_id,
    thread_id: row.thread_id,
    inbox_id: row.inbox_id,
    inbox_address: row.address,
    to: row.to_addrs,
    cc: row.cc_addrs,
    bcc: row.bcc_addrs,
    subject: markDirections(row.subject),
    snippet: row.snippet,
    answers: row.answers && {
      ...row.answers,
      from_name: row.answers.from_name === null ? null : markDirections(row.answers.from_name),
    },
    attachments: row.attachments ?? 0,
    held_at: row.held_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    state: row.state,
    content_hash: hex(row.content_hash),
    key: row.key_id === null ? null : { id: row.key_id, name: row.key_name ?? '' },
    writer: row.writer_id === null ? null : { id: row.writer_id, name: row.writer_name ?? '' },
    decided_at: row.decided_at?.toISOString() ?? null,
    decided_by: row.decided_by === null ? null : { id: row.decided_by, name: row.decided_by_name ?? '' },
    reason: row.reason,
  };
}
