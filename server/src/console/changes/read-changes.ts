import type { Changes } from '@postrider/contract/console';
import { sql } from 'kysely';
import { acrossWorkspaces, type RowsContext, scoped } from '../../db/scoped.ts';

const listedMax = 50;

/** Changes of the log, and the position up to which it was read. */
export interface ReadChanges extends Changes {
  position: number;
}

/** Returns the newest position of the workspace's log; 0 while it is empty. */
export async function findPosition(ctx: RowsContext): Promise<number> {
  const row = await scoped(ctx)
    .selectFrom('events')
    .select('position')
    .where('position', 'is not', null)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.position ?? 0;
}

/** Returns what happened after a position, oldest first: the newest 50 at most, however much there is. */
export async function readChanges(ctx: RowsContext, after: number): Promise<ReadChanges> {
  const rows = await scoped(ctx)
    .selectFrom('events')
    .select(['id', 'event', 'inbox_id', 'thread_id', 'message_id', 'created_at', 'position'])
    .where('position', '>', after)
    .orderBy('position', 'desc')
    .limit(listedMax + 1)
    .execute();
  const changes = rows
    .slice(0, listedMax)
    .reverse()
    .map(({ position: _, created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }));
  return { changes, more: rows.length > listedMax, position: rows[0]?.position ?? after };
}

/**
 * Returns a text that changes with everything that people set for what may be sent. The end of a pause changes only the number of pauses.
 */
export async function readControlVersion(ctx: RowsContext): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select sending_version(${ctx.workspaceId}) || '.' || (select count(*) from pauses
      where workspace_id = ${ctx.workspaceId} or level = 'server') as version`.execute(
    acrossWorkspaces(ctx, 'a pause may be of the whole server'),
  );
  return rows[0]?.version ?? '';
}

/** Returns a text that changes whenever other messages wait for approval than before. */
export async function readApprovalsVersion(ctx: RowsContext): Promise<string> {
  const held = await scoped(ctx)
    .selectFrom('approvals')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min('message_id').as('oldest'),
      fn.max('message_id').as('newest'),
    ])
    .where('state', '=', 'held')
    .executeTakeFirstOrThrow();
  return [held.count, held.oldest, held.newest].join(' ');
}
