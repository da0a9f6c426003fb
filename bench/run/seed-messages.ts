import pg from 'pg';

/** The messages to make: those numbered `from` to `to`, three to a thread. `from` is a multiple of three. */
export interface Seed {
  /** Inboxes of one workspace, which get the threads in turn. */
  inboxIds: string[];
  from: number;
  to: number;
}

const bodies = 2_000;

/**
 * Returns the id of a seeded message or thread. The ids are older than those that the server makes now, and in the order of the numbers.
 */
export function seededId(prefix: 'msg' | 'thr', number: number): string {
  return `${prefix}_01a${number.toString(16).padStart(23, '0')}`;
}

/** Returns the sender of the messages of a thread, which is one of 500. */
export function threadSender(thread: number): string {
  return `a${thread % 500}@sender.example`;
}

/** Fills the tables of a server. */
export interface Seeding {
  add(seed: Seed): Promise<void>;
  /** Puts a label on one in `every` messages with these numbers. */
  label(labelId: string, every: number, seed: Omit<Seed, 'inboxIds'>): Promise<void>;
  /** Leaves the tables as they would be after a while: vacuumed, with statistics, and on the disk. */
  finish(): Promise<void>;
}

/**
 * Starts to write threads and messages by SQL, as the server does for inbound mail. Rows of tables that no list reads are left out.
 */
export async function startSeeding(databaseUrl: string): Promise<Seeding> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('set synchronous_commit = off; set jit = off; select setseed(0.5)');
  await client.query('alter table message_terms drop constraint message_terms_pkey');
  await client.query(makeBodies);
  // With statistics of the table, the planner goes through the numbers in order, and rows and index entries are appended.
  await client.query('analyze bench_bodies');
  return {
    add: async ({ inboxIds, from, to }) => {
      for (const statement of [threads, messages, terms]) await client.query(statement, [inboxIds, from, to]);
      await client.query('analyze');
    },
    label: async (labelId, every, { from, to }) => {
      await client.query(labels, [labelId, every, from, to]);
    },
    finish: async () => {
      await client.query('drop table bench_bodies');
      await client.query('alter table message_terms add primary key (workspace_id, term, message_id)');
      await client.query('vacuum analyze messages, threads, message_terms, message_labels');
      await client.query('checkpoint');
      await client.end();
    },
  };
}

/** Texts of 40 words from a vocabulary of 5,000, a few of them frequent. Many messages share a text. */
const makeBodies = `create table bench_bodies as
  select n as number, body
  from generate_series(0, ${bodies - 1}) n, lateral (
    select string_agg('word' || (5000 ^ random())::int, ' ') as body from generate_series(1, 40) g where n >= 0) texts`;

function idSql(prefix: string, number: string) {
  return `'${prefix}_01a' || lpad(to_hex(${number}), 23, '0')`;
}
function timeSql(number: string) {
  return `timestamptz '2026-01-01' + ${number} * interval '10 seconds'`;
}

/** `$1` has the inboxes; `$2` and `$3` are the first and the last number. */
const numbered = `(select n, n / 3 as t from generate_series($2::bigint, $3::bigint) n) numbers
  join inboxes i on i.id = ($1::text[])[1 + t % cardinality($1::text[])]`;
const sender = `'a' || t % 500 || '@sender.example'`;
const subject = `'Order ' || t || ' topic' || t % 200`;

/** One thread in 100 of each inbox is unread. */
const isUnread = 't / 10 % 100 = 2';

const threads = `insert into threads
  (workspace_id, id, inbox_id, subject, participants, message_count, last_message_at, created_at, unread_count)
  select i.workspace_id, ${idSql('thr', 't')}, i.id, ${subject}, array[${sender}, i.address], count(*), max(${timeSql('n')}),
    min(${timeSql('n')}), case when ${isUnread} then count(*) else 0 end
  from ${numbered} group by i.workspace_id, i.id, i.address, t`;

/** One thread in 20 is outbound, and one in 50 has files. With ten inboxes, most have neither. */
const messages = `insert into messages
  (workspace_id, id, inbox_id, thread_id, direction, from_addr, from_name, to_addrs, cc_addrs, bcc_addrs, reply_to_addrs,
   envelope_from, envelope_to, subject, body_text, body_html, extracted_text, snippet, delivery_status, message_id_header,
   reference_ids, auto_submitted, has_attachments, size_bytes, created_at, is_read)
  select i.workspace_id, ${idSql('msg', 'n')}, i.id, ${idSql('thr', 't')}, case when t % 20 = 0 then 'outbound' else 'inbound' end,
    ${sender}, 'Sender', array[i.address], '{}', '{}', '{}', ${sender}, array[i.address], ${subject}, b.body, null, b.body,
    left(b.body, 200), 'received', '<' || n || '@sender.example>', '{}', false, t % 50 = 1, 3000, ${timeSql('n')}, not ${isUnread}
  from ${numbered} join bench_bodies b on b.number = n % ${bodies}`;

const terms = `insert into message_terms (workspace_id, term, message_id)
  select i.workspace_id, term, ${idSql('msg', 'n')} from ${numbered}, unnest(array['from:' || ${sender}, 'from:@sender.example',
    'to:' || i.address, 'to:@' || split_part(i.address, '@', 2), 'subject:order', 'subject:' || t, 'subject:topic' || t % 200]) term`;

/** `$1` is the label, which one in `$2` of the messages numbered `$3` to `$4` gets. */
const labels = `insert into message_labels (workspace_id, label_id, message_id, inbox_id)
  select l.workspace_id, l.id, m.id, m.inbox_id from labels l, generate_series($3::bigint, $4::bigint) n
    join messages m on m.id = ${idSql('msg', 'n')}
  where l.id = $1 and m.workspace_id = l.workspace_id and n % $2::bigint = 1`;
