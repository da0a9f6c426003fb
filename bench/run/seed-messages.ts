import pg from 'pg';

/** Which messages to make: those numbered `from` to `to` of an inbox, three to a thread: `from` is a multiple of three. */
export interface Seed {
  inboxId: string;
  from: number;
  to: number;
}

const bodies = 2_000;

/** The id of a seeded message: older than anything that the server makes now, in the order of the numbers. */
export const seededId = (prefix: 'msg' | 'thr', number: number): string =>
  `${prefix}_01a${number.toString(16).padStart(23, '0')}`;

/** Fills the tables of a server. */
export interface Seeding {
  add(seed: Seed): Promise<void>;
  /** Leaves the tables as they are after a while: vacuumed, with statistics, and on the disk. */
  finish(): Promise<void>;
}

/**
 * Begins to write threads and messages by SQL, as the server does for mail that came in. What no list reads is left out: rows of
 * other tables, and the search index, which takes minutes to fill.
 */
export const startSeeding = async (databaseUrl: string): Promise<Seeding> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('set synchronous_commit = off; set jit = off; select setseed(0.5)');
  await client.query('drop index messages_search');
  await client.query(makeBodies);
  // With figures about it, the planner goes through the numbers in order, and rows and index entries are appended.
  await client.query('analyze bench_bodies');
  return {
    add: async ({ inboxId, from, to }) => {
      for (const statement of [threads, messages]) await client.query(statement, [inboxId, from, to]);
      await client.query('analyze');
    },
    finish: async () => {
      await client.query('drop table bench_bodies');
      await client.query('vacuum analyze messages, threads');
      await client.query('checkpoint');
      await client.end();
    },
  };
};

/** Texts of 40 words of a vocabulary of 5,000, a few of them frequent; many messages share one. */
const makeBodies = `create table bench_bodies as
  select n as number, body, to_tsvector('simple', body) as search
  from generate_series(0, ${bodies - 1}) n, lateral (
    select string_agg('word' || (5000 ^ random())::int, ' ') as body from generate_series(1, 40) g where n >= 0) texts`;

const idOf = (prefix: string, number: string) => `'${prefix}_01a' || lpad(to_hex(${number}), 23, '0')`;
const timeOf = (number: string) => `timestamptz '2026-01-01' + ${number} * interval '10 seconds'`;

/** `$1` is the inbox, `$2` and `$3` the first and the last number. */
const threads = `insert into threads
  (workspace_id, id, inbox_id, subject, participants, message_count, last_message_at, created_at)
  select i.workspace_id, ${idOf('thr', 'n / 3')}, i.id, 'Subject ' || n / 3, array['a' || n / 3 % 500 || '@sender.example', i.address],
    count(*), max(${timeOf('n')}), min(${timeOf('n')})
  from inboxes i, generate_series($2::bigint, $3::bigint) n where i.id = $1 group by i.workspace_id, i.id, i.address, n / 3`;

const messages = `insert into messages
  (workspace_id, id, inbox_id, thread_id, direction, from_addr, from_name, to_addrs, cc_addrs, bcc_addrs, reply_to_addrs,
   envelope_from, envelope_to, subject, body_text, body_html, extracted_text, snippet, delivery_status, message_id_header,
   reference_ids, auto_submitted, has_attachments, size_bytes, created_at, search)
  select i.workspace_id, ${idOf('msg', 'n')}, i.id, ${idOf('thr', 'n / 3')}, 'inbound', 'a' || n / 3 % 500 || '@sender.example',
    'Sender', array[i.address], '{}', '{}', '{}', 'a' || n / 3 % 500 || '@sender.example', array[i.address], 'Subject ' || n / 3,
    b.body, null, b.body, left(b.body, 200), 'received', '<' || n || '@sender.example>', '{}', false, false, 3000,
    ${timeOf('n')}, b.search
  from inboxes i, generate_series($2::bigint, $3::bigint) n join bench_bodies b on b.number = n % ${bodies} where i.id = $1`;
