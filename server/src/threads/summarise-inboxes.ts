import type { ListInboxes } from '@postrider/contract';
import type { InboxSummary } from '@postrider/contract/console';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import { listInboxes, viewInbox } from '../inboxes/list-inboxes.ts';
import type { Page } from '../lib/cursor.ts';

/** Unread threads are counted up to this number, so that a full inbox costs no more than others. */
const countedMax = 100;

/** Returns a page of the caller's inboxes, newest first, each with its unread threads and the time of its newest message. */
export async function summariseInboxes(ctx: Context, query: ListInboxes): Promise<Page<InboxSummary>> {
  const { rows, nextCursor } = await listInboxes(ctx, query);
  const notes = await readNotes(
    ctx,
    rows.map(({ id }) => id),
  );
  const summaries = rows.map((row) => {
    const { unread = 0, last_message_at = null } = notes.get(row.id) ?? {};
    return {
      ...viewInbox(row),
      unread_threads: unread,
      last_message_at: last_message_at?.toISOString() ?? null,
    };
  });
  return { rows: summaries, nextCursor };
}

async function readNotes(ctx: Context, inboxIds: string[]) {
  const threads = scoped(ctx).selectFrom('threads').where('inbox_id', '=', sql.ref<string>('inboxes.id'));
  const unread = threads.select('id').where(sql<boolean>`(unread_count > 0)`).limit(countedMax);
  const counted = acrossWorkspaces(ctx, 'its threads are those of the workspace')
    .selectFrom(unread.as('unread'))
    .select(sql<number>`count(*)::int`.as('unread'));
  const newest = threads
    .select('last_message_at')
    .orderBy('last_message_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
  if (inboxIds.length === 0) return new Map<string, never>();
  const rows = await scoped(ctx)
    .selectFrom('inboxes')
    .innerJoinLateral(counted.as('counted'), (on) => on.onTrue())
    .leftJoinLateral(newest.as('newest'), (on) => on.onTrue())
    .select(['inboxes.id', 'counted.unread', 'newest.last_message_at'])
    .where('inboxes.id', 'in', inboxIds)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
