import { sql } from 'kysely';
import { scoped } from '../db/scoped.ts';
import type { RemoveContext } from '../inboxes/remove-messages.ts';
import { rawKey } from './originals.ts';
import { attachmentKey } from './raw-source.ts';

/** Subtracts the files of messages that are about to be removed from the usage. Returns the keys of the messages' files. */
export async function giveBackFiles(
  tx: RemoveContext,
  messages: { id: string; inbox_id: string }[],
): Promise<string[]> {
  const files = await scoped(tx)
    .selectFrom('attachments')
    .select(['workspace_id', 'inbox_id', 'id', 'size_bytes'])
    .where(
      'message_id',
      'in',
      messages.map(({ id }) => id),
    )
    .execute();
  const bytes = files.reduce((sum, file) => sum + file.size_bytes, 0);
  if (bytes > 0)
    await sql`insert into usage_ledger (workspace_id, kind, amount, at)
      values (${tx.workspaceId}, 'storage_bytes', ${-bytes}, ${tx.clock.now()})`.execute(tx.db);
  const originals = messages.map((message) => rawKey({ ...message, workspace_id: tx.workspaceId }));
  return [...originals, ...files.map(attachmentKey)];
}

/** Removes the ids by which other mail finds these messages. Mail that names one of them later finds nothing. */
export async function forgetIds(tx: RemoveContext, ids: string[]): Promise<void> {
  await sql`delete from message_ids i using messages m
    where m.workspace_id = ${tx.workspaceId} and m.id = any(${ids}) and i.workspace_id = m.workspace_id
    and i.inbox_id = m.inbox_id and i.hash = sha256(convert_to(m.message_id_header, 'utf8')) and i.message_id = m.id`.execute(
    tx.db,
  );
}
