import type { AppliedLabel, Thread, ThreadWithMessages } from '@postrider/contract';
import type { LinkDeps } from '../attachments/attachment.view.ts';
import { fitAnswer, fitPage } from '../lib/fit-answer.ts';
import type { Page } from '../lib/page.ts';
import type { ThreadRow } from '../messages/find-thread.ts';
import { viewMessage } from '../messages/message.view.ts';
import { type LabelledThread, placeOf, type ReadThread } from './read-threads.ts';

/** A thread as the API shows it; its labels are those of its messages. */
export const viewThread = (row: ThreadRow, labels: AppliedLabel[]): Thread => ({
  id: row.id,
  inbox_id: row.inbox_id,
  subject: row.subject,
  participants: row.participants,
  message_count: row.message_count,
  last_message_at: row.last_message_at.toISOString(),
  created_at: row.created_at.toISOString(),
  labels,
});

/** A page of threads; it ends early where the answer would become too large. */
export const viewThreads = async (
  page: Page<LabelledThread>,
): Promise<{ threads: Thread[]; next_cursor: string | null }> => {
  const view = ({ row, labels }: LabelledThread) => viewThread(row, labels);
  const { items, nextCursor } = await fitPage(page, view, ({ row }) => placeOf(row));
  return { threads: items, next_cursor: nextCursor };
};

/** A thread with its messages, oldest first; older ones are left out where the answer would become too large. */
export const viewWithMessages = async (
  deps: LinkDeps,
  { row, labels, newest, truncated }: ReadThread,
): Promise<ThreadWithMessages> => {
  const shown = await fitAnswer(newest, (message) => viewMessage(deps, message, 'cut'));
  return {
    ...viewThread(row, labels),
    messages: shown.toReversed(),
    messages_truncated: truncated || shown.length < newest.length,
  };
};
