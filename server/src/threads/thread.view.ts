import type { AppliedLabel, Thread, ThreadPage, ThreadWithMessages } from '@postrider/contract';
import type { LinkDeps } from '../attachments/attachment.view.ts';
import { encodeCursor, type Page } from '../lib/cursor.ts';
import { fitAnswer, fitPage } from '../lib/fit-answer.ts';
import type { ThreadRow } from '../messages/find-message.ts';
import { viewMessage } from '../messages/message.view.ts';
import { viewHit, viewOutcome } from '../search/index.ts';
import { cursorKeys, type LabelledThread, type ReadThread } from './read-threads.ts';
import type { FoundThread, FoundThreads } from './search-threads.ts';

/** Returns a thread as the API shows it. Its labels are those of its messages. */
export function viewThread(row: ThreadRow, labels: AppliedLabel[]): Thread {
  return {
    id: row.id,
    inbox_id: row.inbox_id,
    subject: row.subject,
    participants: row.participants,
    message_count: row.message_count,
    last_message_at: row.last_message_at.toISOString(),
    created_at: row.created_at.toISOString(),
    labels,
  };
}

/** Returns a page of threads. It ends early if the response would become too large. */
export async function viewThreads(
  page: Page<LabelledThread>,
): Promise<{ threads: Thread[]; next_cursor: string | null }> {
  const view = ({ row, labels }: LabelledThread) => viewThread(row, labels);
  const { items, nextCursor } = await fitPage(page, view, ({ row }) => cursorKeys(row));
  return { threads: items, next_cursor: nextCursor };
}

/** Returns a page of threads with their best messages. It ends early if the response would become too large. */
export async function viewFoundThreads(deps: LinkDeps, page: FoundThreads): Promise<ThreadPage> {
  const { threads, next, keysAt } = page;
  const view = ({ row, labels, hit }: FoundThread) => ({
    ...viewThread(row, labels),
    messages: [viewHit(deps, hit)],
  });
  const { items, nextCursor } = await fitPage(
    { rows: threads, nextCursor: next && encodeCursor(keysAt(next)) },
    view,
    ({ hit }) => keysAt(hit.position),
  );
  return { threads: items, next_cursor: nextCursor, ...viewOutcome(page) };
}

/** Returns a thread with its messages, oldest first. The oldest are left out if the response would become too large. */
export async function viewWithMessages(
  deps: LinkDeps,
  { row, labels, newest, truncated }: ReadThread,
): Promise<ThreadWithMessages> {
  const shown = await fitAnswer(newest, (message) => viewMessage(deps, message, 'cut'));
  return {
    ...viewThread(row, labels),
    messages: shown.toReversed(),
    messages_truncated: truncated || shown.length < newest.length,
  };
}
