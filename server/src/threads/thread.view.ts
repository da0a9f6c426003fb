import type { AppliedLabel, Thread } from '@postrider/contract';
import type { ThreadRow } from '../messages/find-thread.ts';

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
