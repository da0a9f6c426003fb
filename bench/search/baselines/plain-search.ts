import pg from 'pg';
import { fullBody, type MadeMail } from '../corpus/made-mail.ts';
import { type Ranker, rankedMax } from './ranker.ts';

/** Puts the mails into a table of the same Postgres, and searches subject and body as the manual of Postgres shows. */
export async function startPlainSearch(
  databaseUrl: string,
  corpus: MadeMail[],
  atEnd: (work: () => Promise<unknown>) => void,
): Promise<Ranker> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  atEnd(() => client.end());
  await client.query('create table plain_mails (id text primary key, words tsvector)');
  await client.query(
    `insert into plain_mails select id, to_tsvector('english', subject || ' ' || body)
       from unnest($1::text[], $2::text[], $3::text[]) mails (id, subject, body)`,
    [corpus.map(({ id }) => id), corpus.map(({ subject }) => subject), corpus.map(fullBody)],
  );
  return {
    name: 'ts_rank',
    rank: async ({ words }) => {
      const { rows } = await client.query<{ id: string }>(
        `select id from plain_mails, plainto_tsquery('english', $1) asked where words @@ asked
           order by ts_rank(words, asked) desc, id limit ${rankedMax}`,
        [words],
      );
      return rows.map(({ id }) => id);
    },
  };
}
