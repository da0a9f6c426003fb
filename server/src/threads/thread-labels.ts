import type { AppliedLabel } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';

/** The labels of each thread, that is of its messages, by name: one query for all of them. */
export const labelsOfThreads = async (
  ctx: Context,
  threadIds: string[],
): Promise<Map<string, AppliedLabel[]>> => {
  const labels = new Map<string, AppliedLabel[]>(threadIds.map((id) => [id, []]));
  if (threadIds.length === 0) return labels;
  const rows = await scoped(ctx)
    .selectFrom('thread_labels')
    .innerJoin('labels', (on) =>
      on.onRef('labels.workspace_id', '=', 'thread_labels.workspace_id').onRef('labels.id', '=', 'label_id'),
    )
    .select(['thread_id', 'labels.id', 'name', 'color'])
    .where('thread_id', 'in', threadIds)
    .orderBy('name_key')
    .execute();
  for (const { thread_id, id, name, color } of rows) labels.get(thread_id)?.push({ id, name, color });
  return labels;
};
