import { sql } from 'kysely';
import type { RowsContext } from '../../db/scoped.ts';

/** How much of one file is looked through, and of all files of a page. */
const characters = { perFile: 100_000, perPage: 600_000 };

/**
 * Returns the beginnings of the texts of files that search knows, by the ids of the files. The first messages come first, and what does
 * not fit is left out.
 */
export async function readFileTexts(ctx: RowsContext, messageIds: string[]): Promise<Map<string, string>> {
  if (messageIds.length === 0) return new Map();
  const { perFile, perPage } = characters;
  const { rows } = await sql<{ id: string; text: string }>`
    select attachment_id as id, left(text, ${perFile}) as text from (
      select attachment_id, text, sum(least(octet_length(text), ${perFile}::int)) over (order by place, attachment_id
        rows between unbounded preceding and 1 preceding) as before from (
        select attachment_id, text, array_position(${messageIds}::text[], message_id) as place from attachment_texts
        where workspace_id = ${ctx.workspaceId} and message_id = any(${messageIds}::text[]) and text is not null) as own) as sized
    where coalesce(before, 0) < ${perPage}`.execute(ctx.db);
  return new Map(rows.map(({ id, text }) => [id, text]));
}
