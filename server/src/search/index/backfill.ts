import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { firstIdAt } from '../../lib/ids.ts';
import { type IndexSession, indexDocuments } from './index-documents.ts';
import { type BatchSize, isThere, readOld } from './read-documents.ts';

type BackfillDeps = Pick<Deps, 'db' | 'log' | 'clock' | 'wakeups'>;

/** Notes workspaces from before the index: all their messages so far are to be indexed. */
export async function noteOldWorkspaces(deps: BackfillDeps): Promise<void> {
  await sql`insert into search_workspaces (workspace_id, backfill_before)
    select id, ${firstIdAt('msg', deps.clock.now())} from workspaces w
    where not exists (select from search_workspaces s where s.workspace_id = w.id) on conflict do nothing`.execute(
    acrossWorkspaces(deps, 'the mail of all workspaces is indexed'),
  );
}

/**
 * Indexes the next batch of messages from before the index, the newest of all workspaces first. Returns how many were written, and null
 * once all workspaces are complete.
 */
export async function backfillNext(
  deps: BackfillDeps,
  session: IndexSession,
  size: BatchSize,
): Promise<number | null> {
  const db = acrossWorkspaces(deps, 'the mail of all workspaces is indexed');
  const [next] = await selectNext({ db }, {});
  if (!next) return null;
  const { workspace_id: workspaceId, backfill_before: before } = next;
  const page = await selectPage({ db }, { workspaceId, before, messages: size.messages });
  const left = page.filter((message) => !message.is_known).map(({ id }) => id);
  const rows = left.length > 0 ? await readOld(deps, workspaceId, left, size.bytes) : [];
  const isEnd = page.length < size.messages;
  const to =
    rows.length < left.length ? (rows.at(-1)?.message_id ?? '') : isEnd ? '' : (page.at(-1)?.id ?? '');
  const there = rows.filter(isThere);
  if (there.length > 0) return indexDocuments(deps, session, there, to);
  await db
    .updateTable('search_workspaces')
    .set({ backfill_before: to || null })
    .where('workspace_id', '=', workspaceId)
    .where('backfill_before', '=', before)
    .execute();
  return 0;
}

const selectNext = prepared((db, _values: object) =>
  sql<{
    workspace_id: string;
    backfill_before: string;
  }>`select workspace_id, backfill_before from search_workspaces
    where backfill_before is not null order by backfill_before desc limit 1`.compile(db),
);

const selectPage = prepared(
  (db, { workspaceId, before, messages }: { workspaceId: string; before: string; messages: number }) =>
    sql<{ id: string; is_known: boolean }>`
      select m.id, exists (select from search_messages s where s.workspace_id = m.workspace_id and s.message_id = m.id)
        or exists (select from search_pending p where p.workspace_id = m.workspace_id and p.message_id = m.id) as is_known
      from messages m where m.workspace_id = ${workspaceId} and m.id < ${before} order by m.id desc limit ${messages}`.compile(
      db,
    ),
);
