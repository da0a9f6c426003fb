import { sql } from 'kysely';
import type { AttachmentRow } from '../../attachments/attachment.view.ts';
import type { Context } from '../../context.ts';
import type { Deps } from '../../deps.ts';
import { kindOfFile } from './file-kind.ts';
import { fileLimits } from './file-text.ts';

/** The columns of an attachment that decide whether it is read. */
export type QueuedFile = Pick<
  AttachmentRow,
  'workspace_id' | 'id' | 'message_id' | 'filename' | 'mime_type' | 'size_bytes'
>;

/**
 * Queues those files of messages whose text can be read, of any workspaces. Files that have been queued before are left as they are. Call
 * it in the transaction that indexes the messages, and `filesAreDue` after its commit. Returns the number of files that are now to be
 * read.
 */
export async function queueFiles(tx: Pick<Context, 'db' | 'clock'>, files: QueuedFile[]): Promise<number> {
  const readable = files.filter((file) => kindOfFile({ filename: file.filename, mimeType: file.mime_type }));
  if (readable.length === 0) return 0;
  const column = (of: (file: QueuedFile) => string) => sql`${readable.map(of)}::text[]`;
  const queued =
    await sql`insert into attachment_texts (workspace_id, message_id, attachment_id, status, due_at)
    select workspace_id, message_id, id, status, case status when 'pending' then ${tx.clock.now()}::timestamptz end
    from unnest(${column((file) => file.workspace_id)}, ${column((file) => file.message_id)}, ${column(({ id }) => id)},
      ${column(({ size_bytes }) => (size_bytes > fileLimits.bytesMax ? 'too_large' : 'pending'))})
      file(workspace_id, message_id, id, status)
    order by 1, 2, 3 on conflict do nothing`.execute(tx.db);
  return Number(queued.numAffectedRows ?? 0);
}

/** Has the workers look for files to read. Call it after the commit that queued some. */
export function filesAreDue({ wakeups }: Pick<Deps, 'wakeups'>, workspaceId: string): void {
  wakeups.wake(workspaceId, 'files');
}
