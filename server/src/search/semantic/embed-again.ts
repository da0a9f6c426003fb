import { type RowsContext, scoped } from '../../db/scoped.ts';

/**
 * Has a message embedded again, because its text has changed. One that does not wait and has no vector yet is embedded once it is indexed.
 * Call it in the transaction of the change.
 */
export async function embedAgain(tx: RowsContext, messageId: string): Promise<void> {
  const rows = scoped(tx);
  let isKnown = false;
  // What waits is replaced, so that a process which embeds the old text now does not take it out. It is locked first, as there.
  for (const table of ['embedding_pending', 'search_codes', 'search_vectors'] as const) {
    const [removed] = await rows.deleteFrom(table).where('message_id', '=', messageId).execute();
    isKnown ||= Boolean(removed?.numDeletedRows);
  }
  if (!isKnown) return;
  await tx.db
    .insertInto('embedding_pending')
    .values({ workspace_id: tx.workspaceId, message_id: messageId, is_live: true })
    .execute();
}
