/*
 * Search as it is usually begun: a column of the type tsvector with a GIN index. The query matches everything, ranks all of it and takes
 * the best twenty.
 */
import type pg from 'pg';

/** A mail of the naive search. */
export interface NaiveMail {
  workspaceId: string;
  id: string;
  subject: string;
  text: string;
}

/** Creates its table. */
export const makeNaive = `create table mails (workspace_id text not null, id text primary key, subject text not null, body text not null,
  words tsvector not null)`;

/** Leaves the table as it would be after a while: indexed, vacuumed, with statistics. */
export const finishNaive = [
  "set maintenance_work_mem = '1GB'",
  'create index on mails using gin (words)',
  'create index on mails (workspace_id)',
  'vacuum analyze mails',
];

/** Adds mails to the naive search. */
export async function addNaive(client: pg.Client, mails: NaiveMail[]): Promise<void> {
  await client.query(
    `insert into mails select workspace_id, id, subject, body, to_tsvector('english', subject || ' ' || body)
      from unnest($1::text[], $2::text[], $3::text[], $4::text[]) mails (workspace_id, id, subject, body)`,
    [
      mails.map(({ workspaceId }) => workspaceId),
      mails.map(({ id }) => id),
      mails.map(({ subject }) => subject),
      mails.map(({ text }) => text),
    ],
  );
}

/** Returns the best twenty. `words` is a query for `to_tsquery`. */
export async function searchNaive(pool: pg.Pool, workspaceId: string, words: string): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'search',
    text: `select id, subject, left(body, 200), ts_rank(mails.words, query) as score
      from mails, to_tsquery('english', $2) query where workspace_id = $1 and mails.words @@ query order by score desc, id desc limit 20`,
    values: [workspaceId, words],
  });
  return rowCount ?? 0;
}
