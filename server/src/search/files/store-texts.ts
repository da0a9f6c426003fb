import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { cleanText } from '../../lib/clean-text.ts';
import type { ClaimedFile, ClaimedMessage } from './claim-files.ts';
import type { FileText } from './file-text.ts';

/** A claimed file that was read. */
export interface ReadClaimed {
  file: ClaimedFile;
  read: FileText;
}

/**
 * Stores what was read from files of a message, and has the message indexed again if any of them has text. Files that another process
 * claimed meanwhile are left to it. The message is locked first, as by its removal, which then removes these rows, too.
 */
export async function storeTexts(
  deps: Pick<Deps, 'db'>,
  { workspace_id, message_id }: ClaimedMessage,
  results: ReadClaimed[],
): Promise<void> {
  if (results.length === 0) return;
  const texts = results.map(({ read }) => (read.status === 'done' ? cleanText(read.text) : null));
  await sql`
    with message as materialized (
      select workspace_id, id from messages where workspace_id = ${workspace_id} and id = ${message_id} for share),
    stored as (
      update attachment_texts t set status = f.status, text = f.text, due_at = null
      from message m, unnest(${results.map(({ file }) => file.attachment_id)}::text[], ${results.map(({ file }) => file.tries)}::int[],
        ${results.map(({ read }) => read.status)}::text[], ${texts}::text[]) f(id, tries, status, text)
      where t.workspace_id = m.workspace_id and t.message_id = m.id and t.attachment_id = f.id and t.tries = f.tries
        and t.status = 'pending'
      returning t.workspace_id, t.message_id, t.text)
    insert into search_pending (workspace_id, message_id)
    select distinct workspace_id, message_id from stored where text is not null
    on conflict (workspace_id, message_id) do update set revision = search_pending.revision + 1`.execute(
    deps.db,
  );
}
