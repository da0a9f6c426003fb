import type { ThreadSummary } from '@postrider/contract/console';
import type { AppliedLabel, ListMessages, Postrider, UpdateMessage } from 'postrider';
import { useMemo } from 'react';
import {
  changeRows,
  type RowLists,
  readIntoRows,
  restoreRow,
  type ThreadRows,
  useRowLists,
} from './thread-rows.ts';

/** The messages of one thread that are changed together. */
const messagesMax = 1_000;
/** The requests that are sent at the same time. */
const atOnce = 4;

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
  const lists = useRowLists();
  return useMemo(() => {
    const { api } = lists;
    return {
      mark: (threads, read) =>
        changeThreads(lists, threads, {
          toRow: (row) => ({ ...row, unread_count: read ? 0 : Math.max(1, row.unread_count) }),
          run: ({ id, last_message }) =>
            read
              ? updateAll(api, { thread_id: id, read: false }, { read: true })
              : api.messages.update(last_message.id, { read: false }),
        }),
      addLabel: (threads, label) =>
        changeThreads(lists, threads, {
          toRow: (row) => ({ ...row, labels: [...row.labels.filter(({ id }) => id !== label.id), label] }),
          run: ({ last_message }) => api.messages.update(last_message.id, { add_labels: [label.id] }),
        }),
      removeLabel: (threads, label) =>
        changeThreads(lists, threads, {
          toRow: (row) => ({ ...row, labels: row.labels.filter(({ id }) => id !== label.id) }),
          run: ({ id }) =>
            updateAll(api, { thread_id: id, label_id: label.id }, { remove_labels: [label.id] }),
        }),
    };
  }, [lists]);
}

interface ThreadChange {
  toRow(row: ThreadSummary): ThreadSummary;
  run(thread: Thread): PromiseLike<unknown>;
}

async function changeThreads(lists: RowLists, threads: readonly Thread[], { toRow, run }: ThreadChange) {
  const { queries, queryKey } = lists;
  const ids = new Set(threads.map(({ id }) => id));
  // A list that is being read has the state from before the change.
  await queries.cancelQueries({ queryKey });
  const before = queries.getQueriesData<ThreadRows>({ queryKey });
  queries.setQueriesData<ThreadRows>({ queryKey }, (rows) => rows && changeRows(rows, ids, toRow));
  const undo = (id: string) => {
    for (const [key, old] of before)
      queries.setQueryData<ThreadRows>(key, (rows) => rows && restoreRow(rows, old, id));
    // A part of it may have been changed, or the thread was deleted.
    readIntoRows(lists, id).catch(() => undefined);
  };
  try {
    await runEach(threads, async (thread) => {
      try {
        await run(thread);
      } catch (error) {
        undo(thread.id);
        throw error;
      }
    });
  } finally {
    void refreshLists(lists);
  }
}

async function updateAll(api: Postrider, filter: ListMessages, change: UpdateMessage): Promise<void> {
  const messages = await api.messages.list(filter).toArray({ limit: messagesMax });
  await runEach(messages, ({ id }) => api.messages.update(id, change));
}

/** Has the lists that show threads or count them read again. */
export async function refreshLists({ queries, workspaceId }: RowLists): Promise<void> {
  await Promise.all(
    ['threads', 'inboxes'].map((name) => queries.invalidateQueries({ queryKey: [workspaceId, name] })),
  );
}

/** Runs something for each item, a few at a time, or all at once when `hurry` is aborted. In the end it rejects with the first failure. */
export async function runEach<Item>(
  items: readonly Item[],
  run: (item: Item) => PromiseLike<unknown>,
  hurry?: AbortSignal,
): Promise<void> {
  const waiting = [...items];
  const failures: unknown[] = [];
  async function work(): Promise<void> {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await run(item);
      } catch (error) {
        failures.push(error);
      }
    }
  }
  const workers: Promise<void>[] = [];
  const start = (count: number) => {
    for (let index = 0; index < count; index += 1) workers.push(work());
  };
  hurry?.addEventListener('abort', () => start(waiting.length), { once: true });
  start(hurry?.aborted ? items.length : Math.min(atOnce, items.length));
  // The array may grow while it is walked through.
  for (const worker of workers) await worker;
  if (failures.length > 0) throw failures[0];
}
