import { type AppliedLabel, limits } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { anyText, prepared } from '../db/prepared.ts';
import { type OwnRows, ownRows, scoped } from '../db/scoped.ts';

/** The most labels that are read at once: those of ten threads with every label that a workspace can have. */
const labelsMax = 10 * limits.labelsPerWorkspaceMax;

const selectLabels = prepared((db, { workspaceId, inboxIds, ids }: OwnRows & { ids: string[] }) =>
  scoped({ db, workspaceId, scope: { inboxIds } })
    .selectFrom('thread_labels')
    .innerJoin('labels', (on) =>
      on.onRef('labels.workspace_id', '=', 'thread_labels.workspace_id').onRef('labels.id', '=', 'label_id'),
    )
    .select(['thread_id', 'labels.id', 'name', 'color'])
    .where('thread_id', '=', anyText(ids))
    .orderBy(sql`array_position(${ids}::text[], thread_id)`)
    .orderBy('name_key')
    .limit(labelsMax)
    .compile(),
);

/**
 * Returns the labels of each thread, which are those of its messages, by name, in one query. If the threads have very many labels, only the
 * first threads are returned, but at least ten. The others are not in the map.
 */
export async function labelsOfThreads(
  ctx: Context,
  threadIds: string[],
): Promise<Map<string, AppliedLabel[]>> {
  if (threadIds.length === 0) return new Map();
  const rows = await selectLabels(ctx, { ...ownRows(ctx), ids: threadIds });
  const lastId = rows.length === labelsMax ? (rows.at(-1)?.thread_id ?? '') : null;
  const whole = lastId === null ? threadIds : threadIds.slice(0, threadIds.indexOf(lastId));
  const labels = new Map<string, AppliedLabel[]>(whole.map((id) => [id, []]));
  for (const { thread_id, id, name, color } of rows) labels.get(thread_id)?.push({ id, name, color });
  return labels;
}
