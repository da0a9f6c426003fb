import type { ThreadSummary } from '@postrider/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import type { AppliedLabel, Postrider } from 'postrider';
import { useMemo } from 'react';
import { useApi } from '../../lib/api.ts';
import { useWorkspace } from '../../lib/workspace.ts';
import { readIntoRows } from './refresh-row.ts';
import { runEach } from './run-each.ts';
import { changeRows, restoreRow, rowsKey, type ThreadRows } from './thread-rows.ts';

/** The messages of one thread that are changed together. */
const messagesMax = 1_000;

type Thread = Pick<ThreadSummary, 'id' | 'last_message'>;

/** The changes of threads. Rows change at once; if the server refuses, they are as before and the promise rejects. */
export interface ThreadChanges {
  /** Marks all messages of the threads as read, or the newest one of each as unread. */
  mark(threads: readonly Thread[], read: boolean): Promise<void>;
  /** Puts a label on the newest message of each thread. */
  addLabel(threads: readonly Thread[], label: AppliedLabel): Promise<void>;
  /** Takes a label off all messages of the threads. */
  removeLabel(threads: readonly Thread[], label: AppliedLabel): Promise<void>;
}

/** Returns functions that change threads. */
export function useThreadChanges(): ThreadChanges {
  const api = useApi();
  const queries = useQueryClient();
  const { workspace_id } = useWorkspace();
  return useMemo(() => {
    const lists = { queryKey: [workspace_id, ...rowsKey] };
    async function change(
      threads: readonly Thread[],
      toRow: (row: ThreadSummary) => ThreadSummary,
      run: (thread: Thread) => Promise<unknown>,
    ) {
      const ids = new Set(threads.map(({ id }) => id));
      // A list that is being read has the state from before the change.
      await queries.cancelQueries(lists);
      const before = queries.getQueriesData<ThreadRows>(lists);
      queries.setQueriesData<ThreadRows>(lists, (rows) => rows && changeRows(rows, ids, toRow));
      const undo = (id: string, error: unknown): never => {
        for (const [key, old] of before)
          queries.setQueryData<ThreadRows>(key, (rows) => rows && restoreRow(rows, old, id));
        // A part of it may have been changed, or the thread was deleted.
        readIntoRows({ api, queries, workspaceId: workspace_id }, id).catch(() => undefined);
        throw error;
      };
      try {
        await runEach(threads, (thread) => run(thread).catch((error: unknown) => undo(thread.id, error)));
      } finally {
        void queries.invalidateQueries({ queryKey: [workspace_id, 'threads'] });
        void queries.invalidateQueries({ queryKey: [workspace_id, 'inboxes'] });
      }
    }
    return {
      mark: (threads, read) =>
        change(
          threads,
          (row) => ({ ...row, unread_count: read ? 0 : Math.max(1, row.unread_count) }),
          (thread) => (read ? markAllRead(api, thread.id) : markUnread(api, thread)),
        ),
      addLabel: (threads, label) =>
        change(
          threads,
          (row) => ({ ...row, labels: [...row.labels.filter(({ id }) => id !== label.id), label] }),
          ({ last_message }) => settle(api.messages.update(last_message.id, { add_labels: [label.id] })),
        ),
      removeLabel: (threads, label) =>
        change(
          threads,
          (row) => ({ ...row, labels: row.labels.filter(({ id }) => id !== label.id) }),
          ({ id }) => removeFromAll(api, id, label.id),
        ),
    };
  }, [api, queries, workspace_id]);
}

async function markUnread(api: Postrider, { last_message }: Thread): Promise<void> {
  await api.messages.update(last_message.id, { read: false });
}

async function markAllRead(api: Postrider, threadId: string): Promise<void> {
  const unread = await api.messages
    .list({ thread_id: threadId, read: false })
    .toArray({ limit: messagesMax });
  await runEach(unread, ({ id }) => settle(api.messages.update(id, { read: true })));
}

async function removeFromAll(api: Postrider, threadId: string, labelId: string): Promise<void> {
  const filter = { thread_id: threadId, label_id: labelId };
  const labelled = await api.messages.list(filter).toArray({ limit: messagesMax });
  await runEach(labelled, ({ id }) => settle(api.messages.update(id, { remove_labels: [labelId] })));
}

async function settle(call: PromiseLike<unknown>): Promise<void> {
  await call;
}
